import { readFileSync } from 'node:fs';
import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { textAt } from '@fairlead/apimachinery';
import type { Side } from '../../core/side.ts';
import type { JournalFile } from './outbox-journal.ts';

/** A journal in a local file. */
export function journalFile(path: string): JournalFile {
  return {
    read() {
      try {
        return readFileSync(path, 'utf8');
      } catch (error) {
        if (textAt(error, 'code') === 'ENOENT') return undefined;
        throw error;
      }
    },
    append: (text) => appendFile(path, text, { mode: 0o600 }),
    async replace(text) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(`${path}.new`, text, { mode: 0o600 });
      await rename(`${path}.new`, path);
    },
  };
}

/** One file for each link, in a folder. */
export const journalsIn =
  (folder: string) =>
  ({ role, agent }: Side): JournalFile =>
    journalFile(join(folder, `${role}-${agent}`));
