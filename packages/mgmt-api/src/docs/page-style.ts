/** Style of the documentation page: system fonts, light or dark by system preference. */
export const pageStyle = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --accent: light-dark(#0b5bd3, #7db3ff) }
* { box-sizing: border-box }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem 1rem 4rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
a { color: var(--accent) }
code, pre, textarea, input { font: 13px/1.45 ui-monospace, monospace }
pre { overflow: auto; max-height: 24rem; padding: .6rem; background: var(--soft); border-radius: .3rem; margin: .4rem 0 }
pre:empty { display: none }
details { border: 1px solid var(--line); border-radius: .3rem; margin: .3rem 0 }
summary { cursor: pointer; padding: .35rem .6rem } summary:focus-visible { outline: 2px solid var(--accent) }
details > :not(summary) { margin-inline: .6rem }
.method { display: inline-block; min-width: 4.2rem; font-weight: 600 }
table { border-collapse: collapse; width: calc(100% - 1.2rem); margin: .4rem .6rem }
td, th { text-align: left; vertical-align: top; padding: .2rem .6rem .2rem 0; border-bottom: 1px solid var(--line) }
td:first-child { width: 4.5rem }
label { display: block; margin: .4rem 0 } label > span { display: inline-block; min-width: 10rem }
input { padding: .25rem; width: min(100%, 28rem) } textarea { width: 100%; min-height: 6rem; padding: .4rem }
::placeholder { color: inherit; opacity: .75 }
button { font: inherit; padding: .25rem .9rem; margin: .3rem 0 .6rem }
.key { position: sticky; top: 0; background: Canvas; padding: .5rem 0; border-bottom: 1px solid var(--line) }
`
