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
  await until(
    () => process.output.includes('application web is Synced and Healthy'),
    60_000,
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
