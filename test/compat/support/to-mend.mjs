/**
 * What is to be mended in Latchkey. Tests that wait for it run, and are counted as to do; once an entry is taken out,
 * they must pass.
 */
export const toMend = {
  cacheControl:
    "an answer with cookies says `private, no-store`, not the `private, no-cache, no-store` of the contract",
  wellKnown:
    "a wellKnown that repeats the path of the issuer leads nowhere; Auth.js finds the document by the issuer alone",
  symmetricIdToken: "an ID token signed with the client secret (HS256) is refused, though the provider says so itself",
  basicCredentials:
    "the characters -_.!~*'() are escaped in Basic credentials, which vendors that do not decode them refuse",
  composedFetch: "with a fetch of the application's own, that of the provider is lost, and client_key with it",
  sharedDocuments: "latchkey/core keeps documents by their address alone, so one configuration answers for another",
  begunByAuthJs: "cookies of a sign-in without the hash of its state are not looked at: it ends on the error page",
  optionsOfError: "only `cause` is kept of the options given with an error",
  unclearKind: "the error names what is missing even if it is there, and not that this version has no such provider",
  innerApplication: "a guard of the outer application does not find what an inner application has mounted",
  credentialInput: "the type of a credential's input is narrower than that of Auth.js, so its providers do not compile",
  sessionInJwtCallback: "`session` of the jwt callback is unknown, where Auth.js has any",
  userInSessionCallback: "`session.user` of the session callback may be undefined, where in Auth.js it may not",
}
