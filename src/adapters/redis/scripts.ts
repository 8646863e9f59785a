/**
 * What has to happen in one step, as scripts that Redis runs. A session is a hash, and expires by itself. Its token is also
 * in the index of its user: a sorted set by moment of expiry, which drops what has expired whenever it is written, and
 * expires with its last session. Tokens and user ids are in the names of keys, and in the index, as JSON.
 *
 * All names of keys are given as keys, as `KEYS[2] .. userId` too, so that a client's own key prefix and the hash tag of a
 * cluster go for all of them.
 */

/** The session's time to live, and its place in the index, from what is stored of it. */
const keep = `
local function keep(token)
  local stored = redis.call('HMGET', KEYS[1], 'userId', 'expires')
  local index, moment = KEYS[2] .. stored[1], string.sub(stored[2], 2)
  redis.call('PEXPIREAT', KEYS[1], moment)
  redis.call('ZADD', index, moment, token)
  local time = redis.call('TIME')
  local now = time[1] .. string.format('%03d', math.floor(time[2] / 1000))
  redis.call('ZREMRANGEBYSCORE', index, '-inf', now)
  local last = redis.call('ZREVRANGE', index, 0, 0, 'WITHSCORES')
  if last[2] then redis.call('PEXPIREAT', index, last[2]) end
end
`

/** `KEYS`: session, names of indexes. `ARGV`: token, then fields and values. Gives 1, or 0 when the token is taken. */
export const createSessionScript = `${keep}
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
keep(ARGV[1])
return 1
`

/** As above. Gives fields and values after the change, or nothing when there is no session, even if it has just ended. */
export const updateSessionScript = `${keep}
local userId = redis.call('HGET', KEYS[1], 'userId')
if not userId then return {} end
if ARGV[2] then redis.call('HSET', KEYS[1], unpack(ARGV, 2)) end
local session = redis.call('HGETALL', KEYS[1])
redis.call('ZREM', KEYS[2] .. userId, ARGV[1])
keep(ARGV[1])
return session
`

/** `KEYS`: session, names of indexes. `ARGV`: token. Gives the token, and fields and values of what there was. */
export const deleteSessionScript = `
local session = redis.call('HGETALL', KEYS[1])
local userId = redis.call('HGET', KEYS[1], 'userId')
if userId then redis.call('ZREM', KEYS[2] .. userId, ARGV[1]) end
redis.call('DEL', KEYS[1])
return { ARGV[1], session }
`

/** `KEYS`: index, names of sessions. Gives how many there were. */
export const deleteSessionsScript = `
local count = 0
for _, token in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  count = count + redis.call('DEL', KEYS[2] .. token)
end
redis.call('DEL', KEYS[1])
return count
`
