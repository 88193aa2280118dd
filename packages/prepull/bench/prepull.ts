/**
 * Pre-pulling at scale, and its benefit: `npm run bench -- prepull [fleet|rollout] [NODES] [IMAGES]`. The image model of the simulated
 * nodes determines the duration of pulls.
 */
import { fork } from 'node:child_process';
import { on } from 'node:events';
import type { Figure } from '../../../scripts/bench.ts';
import { rollout } from './rollout.ts';

export async function* bench(args: readonly string[]): AsyncGenerator<Figure> {
  const parts = args.filter((word) => /^[a-z]/.test(word));
  const [nodes = 1000, images = 50] = args.filter((word) => /^\d/.test(word)).map(Number);
  const isSelected = (part: string) => parts.length === 0 || parts.includes(part);
  if (isSelected('fleet')) yield* fleet(nodes, images);
  if (isSelected('rollout')) yield* rollout();
}

/**
 * Runs in a separate process with a larger young generation: a whole cluster in one process allocates so many short-lived objects that with
 * the default size a quarter of the time is spent on garbage collection.
 */
async function* fleet(nodes: number, images: number): AsyncGenerator<Figure> {
  const child = fork(new URL('./fleet.ts', import.meta.url), [`${nodes}`, `${images}`], {
    execArgv: ['--max-semi-space-size=32'],
  });
  const ended = new Promise<number | null>((resolve) => void child.once('exit', resolve));
  for await (const [figure] of on(child, 'message', { close: ['exit'] })) yield figure as Figure;
  const code = await ended;
  if (code !== 0) throw new Error(`the fleet ended with ${code}`);
}
