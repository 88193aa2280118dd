/** `npm run screenshots`: starts `fairlead up`, and writes the pictures of the documentation to docs/images. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { commitReplicas } from '../e2e/support/demo-repository.ts';
import { setManualSync, waitForRevisions } from '../e2e/support/fixtures.ts';
import { findChromium, launch } from '../test/support/browser.ts';
import { openSession } from '../test/support/session.ts';
import { startUp } from '../test/support/start-up.ts';

const output = new URL('../../../docs/images', import.meta.url).pathname;
const chromium = findChromium();
if (chromium === undefined) {
  console.error('chromium is not installed');
  process.exit(1);
}
const stops: (() => Promise<void>)[] = [];
try {
  const up = await startUp({ after: (stop) => stops.push(stop) }, '--fleet', '1500');
  const browser = await launch(chromium);
  stops.push(() => browser.close());
  const account = { username: 'admin', password: up.password };
  const session = await openSession(browser, {
    base: up.base,
    account,
    output,
    width: 1280,
    height: 800,
    theme: 'dark',
  });
  const take = async (name: string, path: string, ready: string): Promise<void> => {
    await session.open(path);
    await session.page.locator(ready).first().waitFor();
    await session.screenshot(name);
    // Fewer colours: a third of the size.
    if (existsSync('/usr/bin/pngquant'))
      execFileSync('pngquant', ['--force', '--ext', '.png', `${output}/${name}.png`]);
    console.log(`docs/images/${name}.png`);
  };
  await take('agents', '/agents', '.agent-card:nth-child(2)');
  await take('flow', '/applications/edge/edge-web?section=flow', '.flow-hop:nth-of-type(5)');
  commitReplicas(up, 3);
  await waitForRevisions(up, 'web', 2);
  await take('application', '/applications/argocd/web', '.graph-node:nth-of-type(5)');
  await take('history', '/applications/argocd/web?section=history&compare=0..1', '.change .cm-line');
  await setManualSync(up, 'web');
  await take('diff', '/applications/argocd/web?section=diff', '.diff-field');
  await take('sync', '/applications/argocd/web?dialog=sync', '.task');
  await take('fleet', '/applications?sort=health', '.fleet-row');
  await take('heatmap', '/applications?view=heatmap&group=project', 'canvas');
} finally {
  for (const stop of stops.reverse()) await stop();
}
