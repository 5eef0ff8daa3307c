#!/usr/bin/env node
// Generates docs/comparison.md from the measurements in benchmarks/comparison.json.
//
//   node scripts/comparison-page.mjs [--measure [--quick]]
import { runMeasuredPage, writeDocument } from './bench/measured-page.mjs'
import { comparisonPage } from './comparison/page.mjs'

await runMeasuredPage({
  script: 'comparison-page.mjs',
  part: 'side-by-side',
  json: 'benchmarks/comparison.json',
  page: 'docs/comparison.md',
  duration: { whole: 'about 20 minutes', quick: 'about 5 minutes' },
  needs: 'wrk, nginx and, if installed, HAProxy, Envoy and Traefik',
  write: (result) => writeDocument('docs/comparison.md', comparisonPage(result)),
})
