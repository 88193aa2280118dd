import { isDeepStrictEqual } from 'node:util';
import { type PrePullImage, type PrePullImageStatus, prePullImageKind } from '@fairlead/api';
import { equalJson, find, type KubeObject, toJson } from '@fairlead/apimachinery';
import type { ApiClient, Clock } from '@fairlead/kube';
import type { Blocked } from './image-status.ts';

/** The status of an image as computed last. Only the leader computes it, so it is newer than what the informer shows. */
export interface ComputedStatus {
  readonly uid: string | undefined;
  readonly generation: number | undefined;
  status: PrePullImageStatus;
  writtenAt: number;
  /** The version of the image that has this status, or an earlier one. */
  storedVersion: number;
  unwritten: boolean;
  blocked?: Blocked & { readonly until: number };
}

/** A status with many nodes is large, so it is written less often. */
const writeIntervalMs = (nodes: number): number => Math.min(5_000, 250 + nodes * 5);

/** Keeps the computed status of each image and limits how often it is written. */
export class StatusWriter {
  readonly #client: Pick<ApiClient, 'patch'>;
  readonly #clock: Clock;
  readonly #computed = new Map<string, ComputedStatus>();

  constructor(client: Pick<ApiClient, 'patch'>, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  get(key: string): ComputedStatus | undefined {
    return this.#computed.get(key);
  }

  delete(key: string): void {
    this.#computed.delete(key);
  }

  /** The computed status of this generation of the image; begins with the stored one. */
  of(key: string, image: PrePullImage): ComputedStatus {
    const { uid, generation } = image.metadata;
    const known = this.#computed.get(key);
    if (known && known.uid === uid && known.generation === generation) {
      detectOverwrite(known, image);
      return known;
    }
    const computed: ComputedStatus = {
      uid,
      generation,
      status: image.status ?? {},
      writtenAt: -Infinity,
      storedVersion: versionOf(image),
      unwritten: false,
    };
    this.#computed.set(key, computed);
    return computed;
  }

  set(computed: ComputedStatus, status: PrePullImageStatus): void {
    if (isSameStatus(status, computed.status)) return;
    computed.status = status;
    computed.unwritten = true;
  }

  /** How long to wait before the next write: not at all if it is `urgent`, at most a second if a slot depends on it. */
  delayMs(computed: ComputedStatus, { urgent, frees }: { urgent: boolean; frees: boolean }): number {
    const usual = writeIntervalMs(computed.status.nodeStatus?.length ?? 0);
    const interval = urgent ? 0 : frees ? Math.min(1_000, usual) : usual;
    return computed.writtenAt + interval - this.#clock.now();
  }

  async write(key: string, image: PrePullImage, computed: ComputedStatus, signal: AbortSignal): Promise<void> {
    const { namespace = '', name } = image.metadata;
    const { status, uid } = computed;
    const patch = { metadata: { uid }, status: { completionTime: null, startTime: null, ...status } };
    const options = { subresource: 'status', signal } as const;
    const written = await find(this.#client.patch(prePullImageKind.type, { namespace, name }, 'merge', patch, options));
    if (!written || this.#computed.get(key) !== computed) return;
    computed.writtenAt = this.#clock.now();
    computed.storedVersion = Math.max(computed.storedVersion, versionOf(written));
    if (computed.status === status) computed.unwritten = false;
  }
}

const versionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion ?? 0);

/** A former leader that was suspended can still write an outdated status. It is written again. */
function detectOverwrite(computed: ComputedStatus, image: PrePullImage): void {
  if (versionOf(image) <= computed.storedVersion) return;
  computed.storedVersion = versionOf(image);
  if (!equalJson(toJson(image.status ?? {}), toJson(computed.status))) computed.unwritten = true;
}

/** Unchanged node statuses are the same objects, so comparing them is cheap. */
const isSameStatus = (a: PrePullImageStatus, b: PrePullImageStatus): boolean =>
  a.phase === b.phase &&
  a.startTime === b.startTime &&
  a.completionTime === b.completionTime &&
  a.nodeStatus?.length === b.nodeStatus?.length &&
  (a.nodeStatus ?? []).every((node, index) => node === b.nodeStatus?.[index]) &&
  isDeepStrictEqual(a.conditions, b.conditions);
