// Checks the types and bundles src/ into dist/page.js and dist/page.css, which the binary embeds.
import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const compiler = fileURLToPath(new URL('./node_modules/typescript/bin/tsc', import.meta.url));
const checked = spawnSync(process.execPath, [compiler, '--noEmit'], {stdio: 'inherit'});
if (checked.status !== 0) process.exit(1);

await build({
  entryPoints: {page: 'src/main.ts'},
  outdir: 'dist',
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome100', 'firefox113', 'safari16.4'],
  // A line break now and then: the embedding cuts long literals at line ends.
  lineLimit: 400,
  legalComments: 'inline',
  logLevel: 'warning',
});
