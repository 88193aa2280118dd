import { readFile } from 'node:fs/promises';
import { type Clock, systemClock } from '../clock.ts';
import type { CredentialSource } from './credentials.ts';

/** A token that is rotated, such as that of a service account: its file is read again every minute, and after a rejection. */
export function tokenFileCredentials(path: string, clock: Clock = systemClock): CredentialSource {
  let held: { token: string; until: number } | undefined;
  return {
    async get() {
      if (!held || held.until <= clock.now()) {
        const token = (await readFile(path, 'utf8')).trim();
        if (token === '') throw new Error(`the token file ${path} is empty`);
        held = { token, until: clock.now() + 60_000 };
      }
      return { token: held.token };
    },
    refused() {
      held = undefined;
    },
  };
}
