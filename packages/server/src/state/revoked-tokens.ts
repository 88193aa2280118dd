import { createHash } from 'node:crypto';
import { type ConfigMap, configMapType, isAlreadyExists, isNotFound } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import type { ServerState } from './server-state.ts';

/** Where replicas find the sessions that others have ended. */
export const revokedTokensName = 'fairlead-revoked-tokens';

/** A session that was ended. Times are in milliseconds. */
export interface Revocation {
  readonly id: string;
  readonly user: string;
  /** When the token would have expired. */
  readonly until: number;
}

const hash = (text: string, length: number): string => createHash('sha256').update(text).digest('hex').slice(0, length);

/**
 * Tokens of sessions that were ended before they expired, in a ConfigMap: a hash of each id, with the time of expiry and a hash of the user. A user cannot
 * displace the revocations of others.
 */
export class RevokedTokens {
  readonly #state: ServerState;
  /** Those of this process, until the watch has them. */
  readonly #own = new Map<string, string>();

  constructor(state: ServerState) {
    this.#state = state;
  }

  has(id: string): boolean {
    const key = hash(id, 32);
    const entry = this.#own.get(key) ?? this.#state.configMap(revokedTokensName)[key];
    return entry !== undefined && expiryOf(entry) > this.#state.clock.now();
  }

  /** In force in this process at once, in others when the write was seen. */
  async add({ id, user, until }: Revocation): Promise<void> {
    const now = this.#state.clock.now();
    if (until <= now) return;
    const [key, value] = [hash(id, 32), `${Math.ceil(Math.min(until, 8.64e15) / 1_000)} ${hash(user, 16)}`];
    for (const [known, entry] of this.#own) if (expiryOf(entry) <= now) this.#own.delete(known);
    this.#own.set(key, value);
    await this.#write({ ...forgotten(this.#state.configMap(revokedTokensName), value, now), [key]: value });
  }

  /** A merge patch touches only its keys, so replicas do not overwrite each other. */
  async #write(data: Readonly<Record<string, string | null>>): Promise<void> {
    const { client, namespace, configMaps } = this.#state;
    const metadata = { name: revokedTokensName, namespace };
    const patch = (): Promise<ConfigMap> => client.patch<ConfigMap>(configMapType, metadata, 'merge', { data });
    const created = (): Promise<ConfigMap> => {
      const kept = Object.fromEntries(
        Object.entries(data).flatMap(([key, text]) => (text === null ? [] : [[key, text]])),
      );
      return client.create<ConfigMap>(configMapType, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: kept });
    };
    const written = await patch().catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      return created().catch((again: unknown) => {
        if (!isAlreadyExists(again)) throw again;
        return patch();
      });
    });
    await this.#state.seen(configMaps, written);
  }
}

const expiryOf = (entry: string): number => Number(entry.split(' ')[0]) * 1_000;

/** Those to remove: expired ones, and the first to expire where there are too many, of the same user before others. */
function forgotten(data: Readonly<Record<string, string>>, added: string, now: number): Readonly<Record<string, null>> {
  const entries = Object.entries(data).sort(([, a], [, b]) => expiryOf(a) - expiryOf(b));
  const live = entries.filter(([, entry]) => expiryOf(entry) > now);
  const [, user] = added.split(' ');
  const own = live.filter(([, entry]) => entry.endsWith(` ${user}`));
  const gone = [
    ...entries.slice(0, entries.length - live.length),
    ...own.slice(0, Math.max(0, own.length + 1 - limits.revokedTokensPerUser)),
    ...live.slice(0, Math.max(0, live.length + 1 - limits.revokedTokens)),
  ];
  return Object.fromEntries(gone.map(([key]) => [key, null]));
}
