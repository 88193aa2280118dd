import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CliError } from './cli-error.ts';

/** The version of git, which is required to read repositories. */
export async function findGit(environment: Readonly<Record<string, string | undefined>>): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], {
      env: { ...environment } as NodeJS.ProcessEnv,
    });
    return stdout.trim().replace(/^git version /u, '');
  } catch {
    throw new CliError('git not found: install it, or add it to the PATH');
  }
}
