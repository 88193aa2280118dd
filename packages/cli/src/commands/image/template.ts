import { readFileSync } from 'node:fs';
import { messageOf } from '@fairlead/apimachinery';
import { commitMessage, defaultCommitTemplate, ImagesError, parseImage, Template } from '@fairlead/images';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { imageTemplate } from '../../command-line/specs/image.ts';

const digest = (letter: string): string => `sha256:${letter.repeat(64)}`;
const none = { tag: undefined, digest: undefined };

/** `fairlead image template [FILE]` */
export const run: Handler<typeof imageTemplate> = async ({ args, terminal }) => {
  const [file] = args;
  let text = defaultCommitTemplate;
  try {
    if (file !== undefined) text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${messageOf(error)}`);
  }
  try {
    const changes = [
      {
        image: parseImage('gcr.io/example/example:1.0.0'),
        old: { ...none, tag: '1.0.0' },
        new: { ...none, tag: '1.0.1' },
      },
      {
        image: parseImage('gcr.io/example/updater:stable'),
        old: { ...none, digest: digest('a') },
        new: { ...none, digest: digest('b') },
      },
    ];
    terminal.write(`${commitMessage(new Template(text, 'commit message'), 'example-app', changes)}\n`);
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof ImagesError) throw new CliError(error.message);
    throw error;
  }
};
