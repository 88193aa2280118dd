import { Fairlead, temporaryFolder, until } from '@fairlead/cli/testing';

export interface RunningUp {
  readonly base: string;
  readonly link: string;
  readonly password: string;
  readonly kubeconfig: string;
  readonly dir: string;
  readonly process: Fairlead;
}

/** `after` of `node:test`, or of a test. */
interface Cleanup {
  readonly after: (stop: () => Promise<void>) => void;
}

/** `fairlead up` with a separate folder; stopped after the test. */
export async function startUp({ after }: Cleanup, ...args: readonly string[]): Promise<RunningUp> {
  const dir = temporaryFolder();
  const process = new Fairlead(['up', '--data-dir', dir.path, '--port', '0', ...args]);
  after(async () => {
    await process.stop('SIGTERM');
    dir.remove();
  });
  await process.line('ready', 120_000);
  const found = (pattern: RegExp): string => pattern.exec(process.output)?.[1] ?? '';
  // With more Applications than the demo has, `up` does not name each.
  const isReady = args.includes('--fleet') ? 'a fleet of' : 'application web is Synced and Healthy';
  await until(
    () => process.output.includes(isReady),
    300_000,
    () => process.output,
  );
  return {
    base: found(/server (http:\S+),/u),
    link: found(/sign in once, within ten minutes: (\S+)/u),
    password: found(/password (\S+)/u),
    kubeconfig: found(/kubeconfig (\S+)/u),
    dir: dir.path,
    process,
  };
}
