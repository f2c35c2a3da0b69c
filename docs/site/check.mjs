// SPDX-License-Identifier: Apache-2.0
// Looks at every built page: each link inside the site leads to a file, and to an anchor of it; no page makes a browser
// ask another host for anything.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const site = process.argv[2]
const base = process.env.NITINOL_SITE_BASE ?? '/'
const problems = []
let links = 0

const files = readdirSync(site, { recursive: true }).filter((name) => statSync(join(site, name)).isFile())
const text = new Map()
const anchors = new Map()

function html(name) {
  if (!text.has(name)) text.set(name, readFileSync(join(site, name), 'utf8'))
  return text.get(name)
}

function anchorsOf(name) {
  if (!anchors.has(name)) {
    anchors.set(name, new Set([...html(name).matchAll(/\s(?:id|name)="([^"]*)"/g)].map((found) => unescape(found[1]))))
  }
  return anchors.get(name)
}

function unescape(value) {
  return value.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"')
}

/** What a server sends for a path: the file, the page without its ending, or the folder's index. */
function served(path) {
  return [path, path + '.html', join(path, 'index.html')]
    .find((each) => existsSync(join(site, each)) && statSync(join(site, each)).isFile())
}

for (const name of files.filter((file) => file.endsWith('.html'))) {
  const page = html(name)
  const api = name.startsWith('api/')
  for (const [, attribute, raw] of page.matchAll(/<[a-z][^>]*?\s(href|src)="([^"]*)"/g)) {
    const target = unescape(raw)
    if (/^(data:|javascript:|mailto:)/.test(target) || target === '') continue
    if (/^(https?:)?\/\//.test(target)) {
      if (attribute === 'src') problems.push(`${name}: loads ${target}`)
      continue
    }
    links++
    const url = new URL(target, `http://site${base}${name}`)
    const path = decodeURIComponent(url.pathname).slice(base.length)
    const file = served(path)
    if (!file) {
      problems.push(`${name}: ${target} leads nowhere`)
    } else if (url.hash.length > 1 && file.endsWith('.html')
        && !anchorsOf(file).has(decodeURIComponent(url.hash.slice(1))) && !anchorsOf(file).has(url.hash.slice(1))) {
      problems.push(`${name}: ${target} names an anchor that ${file} has not`)
    }
  }
  for (const [tag] of page.matchAll(/<(?:link|script)\s[^>]*>/g)) {
    if (/(?:href|src)="(?:https?:)?\/\//.test(tag)) problems.push(`${name}: loads another host's file by ${tag}`)
  }
  if (!api && !page.includes('<main') && !page.includes('VPContent') && name !== '404.html') {
    problems.push(`${name}: has no content`)
  }
}
for (const name of files.filter((file) => file.endsWith('.css'))) {
  for (const [found] of readFileSync(join(site, name), 'utf8').matchAll(/(?:url\(|@import )["']?(?:https?:)?\/\/[^"')]*/g)) {
    problems.push(`${name}: loads ${found}`)
  }
}
const index = files.filter((name) => /localSearchIndex/i.test(name) && name.endsWith('.js'))
if (index.length === 0) problems.push('no index of the search among the built files')

if (problems.length > 0) {
  console.error(problems.slice(0, 100).join('\n'))
  console.error(`${problems.length} problems in ${site}`)
  process.exit(1)
}
console.log(`${files.length} files, ${links} links, all of which lead somewhere`)
