// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { sections } from './sections.mjs'
import { github, javadoc, source } from './links.mjs'

// What prepare.mjs found: which names have a page of Javadoc.
const types = JSON.parse(
  readFileSync(fileURLToPath(new URL('../types.json', import.meta.url)), 'utf8'))

export default defineConfig({
  title: 'Nitinol',
  description: 'Network and collective communication for the JVM, with plugins as NCCL has them',
  lang: 'en',
  base: process.env.NITINOL_SITE_BASE ?? '/',
  outDir: '../site',
  cacheDir: '../site-build/.cache',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // Javadoc is no page of this generator's; check.mjs looks at its links, and at all others.
  srcExclude: ['public/**'], // licences of Javadoc's script are Markdown, and no pages
  ignoreDeadLinks: [/(^|\/)api\//],
  markdown: {
    anchor: { slugify: github },
    config(md) {
      source(md)
      javadoc(md, types)
    },
  },
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    outline: { level: [2, 3] },
    nav: [
      { text: 'Start', link: '/docs/start' },
      { text: 'Guides', items: sections.filter((s) => s.guide).map((s) => ({ text: s.text, link: s.items[0].link })) },
      { text: 'Troubleshooting', link: '/docs/troubleshooting' },
      { text: 'Javadoc', link: '/api/index.html', target: '_self', noIcon: true },
    ],
    sidebar: sections.map(({ text, items }) => ({ text, collapsed: false, items })),
    search: {
      provider: 'local', // MiniSearch, whose index is one of the built files
      options: {
        // The text of a source file would bury the pages that link to it.
        _render: (text, env, md) => env.relativePath.startsWith('source/') ? '' : md.render(text, env),
        miniSearch: {
          options: {
            // NCCL_NET is one word, and its parts are words too.
            tokenize: (text) => text.split(/[^\p{L}\p{N}_]+/u)
              .flatMap((word) => word.includes('_') ? [word, ...word.split('_')] : [word]).filter((word) => word),
          },
          searchOptions: {
            // What is searched for has to be there whole: the parts of a variable's name are everywhere.
            tokenize: (text) => text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word),
            combineWith: 'AND', fuzzy: 0.1, prefix: true, boost: { title: 4, text: 2, titles: 1 },
          },
        },
      },
    },
    footer: { message: 'Apache-2.0' },
  },
})
