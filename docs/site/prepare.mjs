// SPDX-License-Identifier: Apache-2.0
// Puts what the generator reads into one folder: the pages at the paths that they have in the repository, so that
// their links hold, and a page for each other file that one of them links to.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, normalize } from 'node:path'
import { isSource } from './.vitepress/links.mjs'
import { sections } from './.vitepress/sections.mjs'

const [root, work] = process.argv.slice(2)
const problems = []

function write(path, text) {
  const file = join(work, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

// Pages, and whatever they link to.
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'spi/SPEC.md',
  ...readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => 'docs/' + name)]
const sources = new Set()
for (const path of pages) { // pages that are found on the way are appended
  const text = readFileSync(join(root, path), 'utf8')
  write(path, text)
  for (const [, target] of text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/\]\(([^)\s]*)\)/g)) {
    if (/^([a-z]+:|#)/.test(target)) continue
    const file = normalize(join(dirname(path), target.replace(/#.*/, '')))
    if (!existsSync(join(root, file)) || !statSync(join(root, file)).isFile()) {
      problems.push(`${path}: the link ${target} leads to no file`)
    } else if (file.endsWith('.md')) {
      if (!pages.includes(file)) pages.push(file)
    } else if (isSource(target)) {
      sources.add(file)
    }
  }
}
cpSync(join(root, 'docs/pictures'), join(work, 'docs/pictures'), { recursive: true, filter: (f) => !f.endsWith('.md') })

const languages = { '.java': 'java', '.tsv': 'text', '.txt': 'text', '.service': 'ini', '.xml': 'xml', '.json': 'json' }
for (const file of sources) {
  const text = readFileSync(join(root, file), 'utf8')
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map((ticks) => ticks[0].length + 1)))
  write(`source/${file}.md`, `---\noutline: false\n---\n\n# ${file}\n\n${fence}${languages[extname(file)] ?? 'text'}\n`
    + `${text.trimEnd()}\n${fence}\n`)
}

// Each page is in the navigation.
const placed = sections.flatMap((section) => section.items).map((item) => item.link.slice(1) + '.md')
for (const path of pages.filter((page) => !page.startsWith('compat-tests/'))) {
  if (!placed.includes(path)) problems.push(`${path} is missing in docs/site/.vitepress/sections.mjs`)
}

// Names that one public type alone has, and its page of Javadoc.
function index(name) {
  const script = readFileSync(join(work, 'public/api', name), 'utf8')
  return JSON.parse(script.slice(script.indexOf('['), script.lastIndexOf(']') + 1))
}
const modules = new Map(index('package-search-index.js').map(({ l, m }) => [l, m]))
const types = {}
for (const { p, l } of index('type-search-index.js')) {
  if (!p || l.includes('.')) continue
  types[l] = types[l] === undefined ? `${modules.get(p)}/${p.replaceAll('.', '/')}/${l}.html` : null
}
const unique = Object.entries(types).filter(([, path]) => path !== null)
write('types.json', JSON.stringify(Object.fromEntries(unique)))

if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}
console.log(`${pages.length} pages, ${sources.size} source files, ${unique.length} names of types`)
