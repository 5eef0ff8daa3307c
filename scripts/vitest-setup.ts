/**
 * Draws of property tests. In CI they are the same in every run, so that a failure there is of the change and not of the
 * day; everywhere else each run draws anew. `TURNPIKE_SEED` is a seed of one's own, or `random`.
 */
import fc from 'fast-check'

const inCi = process.env['CI'] !== undefined && process.env['CI'] !== '' && process.env['CI'] !== 'false'
const wish = process.env['TURNPIKE_SEED'] ?? (inCi ? '20260101' : 'random')
if (wish !== 'random') {
  const seed = Number(wish)
  if (!Number.isInteger(seed)) throw new Error(`TURNPIKE_SEED is a whole number or "random", not ${wish}`)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
}
