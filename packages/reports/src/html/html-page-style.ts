/** Style sheet of the page. Colours have a contrast of at least 4.5:1 in light and dark mode. */
export const pageStyle = `
:root { --ground: #ffffff; --ink: #1c2128; --soft: #57606a; --line: #d0d7de; --pass: #1a7f4b; --reject: #6e7781; --wrong: #c62828; --limit: #9a6700 }
@media (prefers-color-scheme: dark) {
  :root { --ground: #16191d; --ink: #e6e8ea; --soft: #a0a8b0; --line: #3a4149; --pass: #4cc38a; --reject: #8b949e; --wrong: #ff7b72; --limit: #e3b341 }
}
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2rem } small { color: var(--soft); font-weight: normal }
.fine { color: var(--pass) } .bad { color: var(--wrong) }
.sentence { font-size: 1.15rem }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top }
table.trace td:first-child, table.trace td:nth-child(2), .number { white-space: nowrap }
.number { text-align: right }
tr.wrong td { color: var(--wrong); font-weight: 600 }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere }
svg { width: 100%; height: auto; margin: 1rem 0 } svg text { fill: var(--soft); font: 12px system-ui, sans-serif }
li { margin: .5rem 0; overflow-wrap: anywhere }
.scroll { overflow-x: auto } .scroll svg { min-width: 40rem }
@media (max-width: 40rem) {
  main { padding: 1rem }
  th, td { padding: .3rem .25rem; overflow-wrap: anywhere }
  .number { white-space: normal }
}
`
