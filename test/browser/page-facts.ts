import type { Page } from "playwright-core"

/** What a page must have to be usable by everybody. */
export interface PageFacts {
  /** Pixels by which the page is wider than the window. */
  readonly overflow: number
  readonly language: string
  readonly hasTitle: boolean
  readonly headings: number
  /** Inputs that no label names. */
  readonly unnamedInputs: number
  /** Texts of buttons lower than 40 pixels. */
  readonly lowControls: readonly string[]
}

export function readFacts(page: Page): Promise<PageFacts> {
  return page.evaluate(() => {
    const inputs = [...document.querySelectorAll("input")].filter(({ type }) => type !== "hidden")
    const controls = [...document.querySelectorAll("button"), ...inputs]
    return {
      overflow: document.documentElement.scrollWidth - window.innerWidth,
      language: document.documentElement.lang,
      hasTitle: document.title.trim() !== "",
      headings: document.querySelectorAll("h1").length,
      unnamedInputs: inputs.filter((input) => !input.labels?.length && !input.ariaLabel).length,
      lowControls: controls
        .filter((control) => control.getBoundingClientRect().height < 40)
        .map((control) => control.innerText),
    }
  })
}

/**
 * Texts that stand out too little from what is behind them, each with its contrast. Pictures and gradients are not looked at.
 * @see https://www.w3.org/TR/WCAG22/#contrast-minimum
 */
export function readFaintTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const canvas = document.createElement("canvas")
    canvas.width = canvas.height = 1
    const brush = canvas.getContext("2d", { willReadFrequently: true })
    if (!brush) throw new Error("Expected a canvas to mix colours on")

    const texts = [...document.body.querySelectorAll<HTMLElement>("*")].filter(
      (element) =>
        element.getClientRects().length > 0 &&
        [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== ""),
    )
    return texts.flatMap((element) => {
      const { color, fontSize, fontWeight } = getComputedStyle(element)
      paint(
        getComputedStyle(document.documentElement).colorScheme.includes("dark") &&
          matchMedia("(prefers-color-scheme: dark)").matches
          ? "black"
          : "white",
      )
      for (const behind of ancestorsOf(element)) paint(getComputedStyle(behind).backgroundColor)
      const ground = luminance()
      paint(color)
      const text = luminance()
      const contrast = (Math.max(ground, text) + 0.05) / (Math.min(ground, text) + 0.05)
      const isLarge = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && Number(fontWeight) >= 700)
      return contrast >= (isLarge ? 3 : 4.5) ? [] : [`${element.innerText}: ${contrast.toFixed(2)}`]
    })

    function ancestorsOf(element: HTMLElement): readonly HTMLElement[] {
      return element.parentElement ? [...ancestorsOf(element.parentElement), element] : [element]
    }
    function paint(colour: string): void {
      if (!brush) return
      brush.fillStyle = colour
      brush.fillRect(0, 0, 1, 1)
    }
    function luminance(): number {
      const [red = 0, green = 0, blue = 0] = [...(brush?.getImageData(0, 0, 1, 1).data ?? [])].map((value) =>
        value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
  })
}
