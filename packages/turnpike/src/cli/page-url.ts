/** Where the pages of documentation are published. */
export const home = 'https://github.com/turnpike-gateway/turnpike'

/** `page`: a file in docs, with a section where there is one. */
export function pageUrl(page: string): string {
  return `${home}/blob/main/docs/${page}`
}
