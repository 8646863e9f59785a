/** An answer that the browser posts (OAuth 2.0 Form Post Response Mode). */
import { escapeHtml } from "./html.js"

/** The page that posts the query of `answer` to the rest of it: by itself, or with its button where scripts are off. */
export function renderForm({ origin, pathname, searchParams }: URL): string {
  const inputs = [...searchParams].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Going on – faulty provider</title>
</head>
<body>
  <form method="post" action="${escapeHtml(origin + pathname)}">
    ${inputs.join("\n    ")}
    <button>Go on</button>
  </form>
  <script>document.forms[0].submit()</script>
</body>
</html>
`
}
