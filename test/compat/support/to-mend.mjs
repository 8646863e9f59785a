/**
 * What is to be mended in Latchkey. Tests that wait for it run, and are counted as to do; once an entry is taken out,
 * they must pass.
 */
export const toMend = {
  composedFetch: "with a fetch of the application's own, that of the provider is lost, and client_key with it",
  sessionEvent: "the session event is told of a session without its token, where the session callback returned it",
  newId: "createUser is given another id than the signIn callback was told",
}
