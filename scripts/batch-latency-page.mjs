#!/usr/bin/env node
// Generates docs/batch-latency.md and its pictures from the measurements in benchmarks/batch-latency.json.
//
//   node scripts/batch-latency-page.mjs [--measure [--quick]]
import { batchLatencyPage, pictures } from './batch-latency/page.mjs'
import { runMeasuredPage, writeDocument } from './bench/measured-page.mjs'

await runMeasuredPage({
  script: 'batch-latency-page.mjs',
  part: 'batch-latency',
  json: 'benchmarks/batch-latency.json',
  page: 'docs/batch-latency.md',
  duration: { whole: 'about 6 minutes', quick: 'about a minute' },
  needs: 'no other programs',
  write(result) {
    writeDocument('docs/batch-latency.md', batchLatencyPage(result))
    for (const [file, svg] of Object.entries(pictures(result))) writeDocument(`docs/pictures/${file}`, svg)
  },
})
