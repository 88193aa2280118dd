import { Complaint } from './complaint.ts';
import { readEnvironment } from './environment.ts';

/** Commands are loaded when they are called: `version` should not wait for what `up` needs. */
const commands: Readonly<Record<string, () => Promise<{ run: Command }>>> = {
  up: () => import('./commands/up.ts'),
  down: () => import('./commands/down.ts'),
  render: () => import('./commands/render.ts'),
  diff: () => import('./commands/diff.ts'),
  version: () => import('./commands/version.ts'),
  help: () => import('./commands/help.ts'),
};

export type Command = (args: readonly string[], environment: ReturnType<typeof readEnvironment>) => Promise<number>;

async function main([name = 'help', ...args]: readonly string[]): Promise<number> {
  const wantsHelp = name === '--help' || name === '-h' || args.includes('--help') || args.includes('-h');
  const command = wantsHelp ? 'help' : name === '--version' || name === '-v' ? 'version' : name;
  const load = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (!load) throw new Complaint(`there is no command ${name}: try fairlead help`);
  const { run } = await load();
  return run(wantsHelp && Object.hasOwn(commands, name) ? [name] : args, readEnvironment());
}

/** Whoever reads our output may have read enough (`| head`). */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Complaint ? `fairlead: ${error.message}` : error);
  process.exitCode = 1;
}
