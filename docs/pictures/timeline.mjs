// SPDX-License-Identifier: Apache-2.0
// Writes timeline.csv from the traces of two ranks that the profiler JSON wrote, of one all-reduce that no other one
// overlaps: the fastest. CONTRIBUTING.md has the command.
import { readFileSync } from 'node:fs'

const ranks = process.argv.slice(2).map((file) =>
  JSON.parse(readFileSync(file, 'utf8')).traceEvents.filter((event) => event.ph === 'X'))
const collectives = ranks.map((events) => events.filter((event) => event.cat === 'COLL'))
const end = (event) => event.ts + event.dur
const alone = collectives[0].map((_, i) => i).filter((i) => collectives.every((all) =>
  (i === 0 || end(all[i - 1]) <= all[i].ts) && (i + 1 === all.length || end(all[i]) <= all[i + 1].ts)))
const begin = (i) => Math.min(...collectives.map((all) => all[i].ts))
const whole = (i) => Math.max(...collectives.map((all) => end(all[i]))) - begin(i)
alone.sort((a, b) => whole(a) - whole(b))
const chosen = alone[0]

console.log('rank,lane,what,from,to')
ranks.forEach((events, rank) => {
  const row = (lane, what, event) => console.log([rank, lane, what,
    (event.ts - begin(chosen)).toFixed(1), (end(event) - begin(chosen)).toFixed(1)].join(','))
  const collective = collectives[rank][chosen]
  const below = (parent) => events.filter((event) => event.args.parent === parent)
  row('collective', 'COLL', collective)
  for (const child of below(collective.args.event)) {
    if (child.cat === 'KERNEL_CH') row('channel', 'KERNEL_CH', child)
    else below(child.args.event).forEach((step, i) => row(`${child.name} ${i + 1}`, 'PROXY_STEP', step))
  }
})
