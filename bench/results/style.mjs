// @ts-check

/** The pages that show the chart are light or dark; on a phone it is less than half as wide as it was drawn. */
export const style = `
text { font: 15px system-ui, -apple-system, "Segoe UI", sans-serif; font-variant-numeric: tabular-nums; fill: #1f2328 }
.title { font-size: 17px; font-weight: 600 }
.unit, .footer { font-size: 13px; fill: #59636e }
.one { stroke: #59636e; stroke-dasharray: 3 3 }
.label, .name, .inside, .beside { dominant-baseline: central }
.label { font-size: 14px }
.inside, .beside { font-weight: 600 }
.label, .name, .inside { text-anchor: end }
.name { display: none }
.peer rect { fill: #6e7781 }
.ours rect { fill: #0969da }
text.inside { fill: #fff }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .unit, .footer { fill: #9198a1 }
  .one { stroke: #9198a1 }
  .peer rect { fill: #656c76 }
  .ours rect { fill: #1f6feb }
}
@media (max-width: 560px) {
  text { font-size: 23px }
  .title { font-size: 21px }
  .unit, .footer { font-size: 17px }
  .label { display: none }
  .name { display: inline }
}
`
