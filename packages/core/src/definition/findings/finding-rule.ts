/** One row of the table of findings, and the functions that make the rows of one page. */

/**
 * `error`: a file or a part of it cannot work. `warning`: it works, but probably not as intended. `note`: it works as
 * intended and can be simpler.
 */
export type Severity = 'error' | 'warning' | 'note'

export interface FindingRule<Text extends string = string, Fix extends string = string> {
  /** A report can differ from it where a setting makes the finding more or less serious. */
  readonly severity: Severity
  /** What is wrong, to be printed after the path of the field. Names in angle brackets are replaced by values. */
  readonly text: Text
  /** What to do; empty if the text says it. A suggestion replaces it. */
  readonly fix: Fix
  /** What the finding means, for texts that are mostly values. */
  readonly about?: string
  /** File in docs, with the section where there is one. */
  readonly page: string
  /** The gateway does not start, so the finding cannot be allowed. */
  readonly stopsStart?: true
  /** The field says nothing: `check` only counts the finding. */
  readonly isQuiet?: true
}

type Make = <const Text extends string, const Fix extends string = ''>(
  text: Text,
  fix?: Fix,
  about?: string,
) => FindingRule<Text, Fix>

interface RulesOfPage {
  readonly error: Make
  readonly warning: Make
  readonly note: Make
  /** An error with which the gateway does not start. */
  readonly fatal: Make
  /** A note about a field that says nothing. */
  readonly quiet: Make
}

/** Functions that make the rules of a page in docs. */
export function rulesOf(page: string): RulesOfPage {
  const make =
    (severity: Severity, more: Pick<FindingRule, 'stopsStart' | 'isQuiet'> = {}): Make =>
    <const Text extends string, const Fix extends string = ''>(text: Text, fix?: Fix, about?: string) => ({
      ...{ severity, text, page, ...more },
      fix: fix ?? ('' as Fix),
      ...(about === undefined ? {} : { about }),
    })
  return {
    error: make('error'),
    warning: make('warning'),
    note: make('note'),
    fatal: make('error', { stopsStart: true }),
    quiet: make('note', { isQuiet: true }),
  }
}
