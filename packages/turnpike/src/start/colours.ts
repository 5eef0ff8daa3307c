/** Colours of text for a terminal. Without colours every function returns its text unchanged. */
import { styleText } from 'node:util'

type Style = (text: string) => string

export interface Colours {
  readonly good: Style
  readonly bad: Style
  readonly caution: Style
  /** For facts that matter less than the rest of the line. */
  readonly faint: Style
  readonly strong: Style
}

export function makeColours(enabled: boolean): Colours {
  const style =
    (format: Parameters<typeof styleText>[0]): Style =>
    (text) =>
      enabled ? styleText(format, text, { validateStream: false }) : text
  return {
    good: style('green'),
    bad: style('red'),
    caution: style('yellow'),
    faint: style('dim'),
    strong: style('bold'),
  }
}

/** Whether output to this stream is coloured: on a terminal, unless `NO_COLOR` is set or the terminal is `dumb`. */
export function wantsColour(
  isTerminal: boolean,
  { NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): boolean {
  return isTerminal && (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb'
}
