/** The version of package.json; version.test.ts compares the two. */
export const version = '0.1.0'
