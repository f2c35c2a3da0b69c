// SPDX-License-Identifier: Apache-2.0
// How links of the pages, which are written for a reader of the repository, look on the site.

/** The anchor that GitHub gives a heading; MarkdownTest holds the links in pages to the same. */
export function github(heading) {
  return heading.trim().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
}

/** The path from a page to the root of the site. */
function root(env) {
  return '../'.repeat(env.relativePath.split('/').length - 1) || './'
}

function resolve(env, target) {
  const parts = env.relativePath.split('/').slice(0, -1)
  for (const part of target.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** Whether a link leads to a file of the repository that is no page; such a file gets a page of its own. */
export function isSource(target) {
  return !/^([a-z]+:|#|\/)/.test(target) && !/\.(md|svg|html)(#|$)/.test(target)
}

/** Leads links to source files to their pages, and heads each such page with the file's path. */
export function source(md) {
  md.core.ruler.before('inline', 'nitinol-state', (state) => { state.env.relativePath ??= '' })
  md.core.ruler.push('nitinol-source', (state) => {
    if (state.env.relativePath.startsWith('source/')) return
    for (const block of state.tokens) {
      for (const token of block.children ?? []) {
        const target = token.type === 'link_open' ? token.attrGet('href') : null
        if (target && isSource(target)) {
          token.attrSet('href', root(state.env) + 'source/' + resolve(state.env, target) + '.md')
        }
      }
    }
  })
}

/** Links `Name` in a text to the Javadoc of the type, where one type alone has that name. */
export function javadoc(md, types) {
  md.core.ruler.push('nitinol-javadoc', (state) => {
    state.tokens.forEach((block, i) => {
      if (!block.children || state.tokens[i - 1]?.type === 'heading_open') return
      let link = 0
      block.children = block.children.flatMap((token) => {
        link += token.type === 'link_open' ? 1 : token.type === 'link_close' ? -1 : 0
        if (token.type !== 'code_inline' || link > 0 || !Object.hasOwn(types, token.content)) return [token]
        const open = new state.Token('link_open', 'a', 1)
        open.attrs = [['href', root(state.env) + 'api/' + types[token.content]], ['target', '_self']]
        return [open, token, new state.Token('link_close', 'a', -1)]
      })
    })
  })
}
