// SPDX-License-Identifier: Apache-2.0
// Which page stands where in the navigation. prepare.mjs refuses a page of docs/ that is not here.

const page = (text, path) => ({ text, link: '/' + path })
const doc = (text, name) => page(text, 'docs/' + name)

export const sections = [
  {
    text: 'Start',
    guide: true,
    items: [
      doc('Start in five minutes', 'start'),
      doc('Choose a transport', 'transport'),
      page('What there is', 'README'),
      doc('All pages', 'README'),
    ],
  },
  {
    text: 'Applications',
    guide: true,
    items: [
      doc('Calling collectives', 'application'),
      doc('Several hosts', 'several-hosts'),
      doc('Memory of GPUs', 'gpu'),
      doc('Numerics', 'numerics'),
      doc('Simulator', 'simulator'),
      page('Example: digits', 'plugins-samples/app-sgd/README'),
      page('Example: PyTorch\'s kernels', 'plugins-samples/app-pytorch/README'),
      page('Example: Apache Spark', 'plugins-samples/app-spark/README'),
    ],
  },
  {
    text: 'Plugin authors',
    guide: true,
    items: [
      doc('Writing a plugin', 'plugin-author'),
      doc('In one screen', 'plugin-in-one-screen'),
      doc('Versions of the interface', 'plugin-versions'),
      page('The contract', 'spi/SPEC'),
      doc('Conformance kit', 'tck'),
      doc('Validator', 'validate'),
      doc('Device providers', 'device-provider'),
      doc('Profilers', 'profiling'),
    ],
  },
  {
    text: 'Operators',
    guide: true,
    items: [
      doc('Running jobs', 'operator'),
      doc('Doctor', 'doctor'),
      doc('Diagnosis of a stuck job', 'diagnosis'),
      doc('Who may connect', 'trust'),
      doc('Tuning', 'tuning'),
      doc('Topology', 'topology'),
      doc('Network: TCP', 'net-socket'),
      doc('Network: InfiniBand, RoCE', 'net-ib'),
      doc('Network: reducing switch', 'net-collnet'),
      doc('Inside NCCL', 'nccl-plugin'),
      doc('Variables', 'environment'),
    ],
  },
  {
    text: 'Performance',
    guide: true,
    items: [
      doc('Figures and how to repeat them', 'performance'),
      doc('perf: more than the table', 'perf-modes'),
      doc('perf: memory of GPUs', 'perf-device'),
      doc('Comparing runs', 'compare'),
      doc('All measurements', 'measurements'),
    ],
  },
  {
    text: 'Reference',
    items: [
      doc('Compatibility', 'compatibility'),
      doc('Troubleshooting by message', 'troubleshooting'),
      doc('JSON of the commands', 'json'),
      page('Vulnerabilities', 'SECURITY'),
      page('Changes', 'CHANGELOG'),
    ],
  },
  {
    text: 'Contributors',
    guide: true,
    items: [
      doc('Architecture', 'architecture'),
      page('Contributing', 'CONTRIBUTING'),
      doc('A new ABI version', 'new-abi-version'),
      doc('Release', 'release'),
    ],
  },
]
