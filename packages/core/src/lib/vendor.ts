/** The vendor word, in the forms in which it is part of names. */
export interface VendorForms {
  /** `svc`: paths, extension names, channels, lower-case headers. */
  readonly lower: string
  /** `Svc`: header names and product tokens. */
  readonly title: string
  /** `SVC`: environment variables. */
  readonly upper: string
}

export function vendorForms(word: string): VendorForms {
  const lower = word.toLowerCase()
  return { lower, title: lower.charAt(0).toUpperCase() + lower.slice(1), upper: lower.toUpperCase() }
}
