/**
 * What is to be mended in Latchkey. Tests that wait for it run, and are counted as to do; once an entry is taken out,
 * they must pass.
 */
export const toMend = {
  composedFetch: "with a fetch of the application's own, that of the provider is lost, and client_key with it",
}
