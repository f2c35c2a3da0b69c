// SPDX-License-Identifier: Apache-2.0
// Draws each *.dot of this folder with Graphviz and each *.vl.json with Vega-Lite, as SVG. With --check it draws nothing,
// and fails if a picture is not the one of its source. docs/pictures/draw calls it where the two libraries are.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder, ...options] = process.argv.slice(2)
const check = options.includes('--check')
const require = createRequire(join(process.cwd(), 'package.json'))
const load = (name) => import(pathToFileURL(require.resolve(name)).href)

// What a colour of the sources is on a dark page. A picture has its own background, so it is readable on any.
const dark = {
  '#1f2328': '#e6edf3', // text
  '#59636e': '#9198a1', // lines
  '#ffffff': '#0d1117', // background
  '#d1d9e0': '#3d444d', // grid
  '#ddf4ff': '#12304f', '#dafbe1': '#12351f', '#fff8c5': '#3b2e0a', '#f6f8fa': '#21262d', '#fbefff': '#2f1d4d',
  '#ffebe9': '#4a1a1a',
  '#0969da': '#4493f8', '#1a7f37': '#3fb950', '#bc4c00': '#f0883e', '#8250df': '#ab7df8',
}
const style = '<style>@media (prefers-color-scheme: dark){' + Object.entries(dark).map(([light, night]) =>
  `[fill="${light}"]{fill:${night}}[stroke="${light}"]{stroke:${night}}`).join('') + '}</style>'

/** Gives a drawing its title, its background and its colours of the night. */
function finish(svg, title) {
  const text = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return svg.slice(svg.indexOf('<svg')).replace(/<!--[\s\S]*?-->\n?/g, '').replace(/(<svg[^>]*>)/,
    `$1<title>${text}</title>${style}<rect x="-99999" y="-99999" width="199999" height="199999" fill="#ffffff"/>`)
    .trimEnd() + '\n'
}

const look = {
  graphAttributes: { bgcolor: 'transparent', fontname: 'Helvetica,Arial,sans-serif', pad: 0.2 },
  nodeAttributes: {
    fontname: 'Helvetica,Arial,sans-serif', fontsize: 12, fontcolor: '#1f2328', color: '#59636e', margin: '0.4,0.09',
  },
  edgeAttributes: {
    fontname: 'Helvetica,Arial,sans-serif', fontsize: 11, fontcolor: '#1f2328', color: '#59636e', arrowsize: 0.8,
  },
}
const font = 'Helvetica, Arial, sans-serif'
const axis = {
  labelFont: font, titleFont: font, labelColor: '#1f2328', titleColor: '#1f2328', gridColor: '#d1d9e0',
  domainColor: '#59636e', tickColor: '#59636e', labelFontSize: 11, titleFontSize: 12,
}
const config = {
  background: null, padding: 14, view: { stroke: '#d1d9e0' }, axis,
  legend: { labelFont: font, titleFont: font, labelColor: '#1f2328', titleColor: '#1f2328', labelFontSize: 11 },
  title: { font, color: '#1f2328', fontSize: 13 },
  header: { labelFont: font, labelColor: '#1f2328', labelFontSize: 12 },
}

/** The sentence after the licence line of a source, or the title that it has. */
function title(text) {
  const found = text.match(/^\/\/ SPDX.*\n((?:\/\/ .*\n)+)/)
  return found ? found[1].replaceAll(/^\/\/ /gm, '').replaceAll('\n', ' ').split(/[.:] /)[0].trim() : ''
}

let wrong = 0
const { instance } = await load('@viz-js/viz')
const viz = await instance()
const { compile } = await load('vega-lite')
const vega = await load('vega')
for (const name of readdirSync(folder).sort()) {
  const file = join(folder, name)
  let svg
  if (name.endsWith('.dot')) {
    const source = readFileSync(file, 'utf8')
    svg = finish(viz.renderString(source, { format: 'svg', ...look }), title(source))
  } else if (name.endsWith('.vl.json')) {
    const source = JSON.parse(readFileSync(file, 'utf8'))
    const rows = readFileSync(join(folder, source.data.url), 'utf8')
    source.data = { values: rows, format: { type: 'csv' } }
    const view = new vega.View(vega.parse(compile({ ...source, config }).spec), { renderer: 'none' })
    svg = finish(await view.toSVG(), source.title?.text ?? name.replace('.vl.json', ''))
  } else {
    continue
  }
  const picture = file.replace(/\.(dot|vl\.json)$/, '.svg')
  if (!check) {
    writeFileSync(picture, svg)
  } else if (!existsSync(picture) || readFileSync(picture, 'utf8') !== svg) {
    console.error(`${picture} is not what ${name} draws: run docs/pictures/draw`)
    wrong++
  }
}
process.exit(wrong > 0 ? 1 : 0)
