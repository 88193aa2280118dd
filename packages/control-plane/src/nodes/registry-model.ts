import { createHash } from 'node:crypto';
import type { NodeImage } from './image-reference.ts';

/** An image in a registry. */
export interface RegistryImage {
  readonly digest: string;
  readonly sizeBytes: number;
  /** The commands in the image; absent: every command. */
  readonly programs?: readonly string[];
}

export interface PullCost {
  /** The latency of the registry. */
  readonly latencyMs: number;
  readonly bytesPerSecond: number;
}

/** The requests of a node to registries. If a real one is configured, digests and sizes come from it. */
export interface Registries {
  find(image: NodeImage, secrets: readonly string[]): Promise<RegistryImage | PullProblem>;
  cost(image: NodeImage): PullCost;
}

export interface PullProblem {
  readonly problem: 'missing' | 'unauthorized' | 'unreachable';
  readonly message: string;
}

/** One simulated registry: its latency, speed, content, and permissions. */
export interface RegistryModel {
  readonly host: string;
  readonly latencyMs?: number;
  readonly megabytesPerSecond?: number;
  /** Names of accepted pull secrets; absent: anyone may pull. */
  readonly pullSecrets?: readonly string[];
  /** Known images by `repository:tag`: size, digest, and commands if relevant. */
  readonly images?: Readonly<
    Record<
      string,
      {
        readonly megabytes?: number;
        readonly digest?: string;
        readonly missing?: boolean;
        readonly programs?: readonly string[];
      }
    >
  >;
  /** Whether an image that is not listed exists: true by default, so that any manifest runs. */
  readonly onlyListed?: boolean;
}

const defaults = { latencyMs: 40, megabytesPerSecond: 200 };
const megabyte = 1_000_000;

/** Simulated registries. The same image has the same digest and size in every run. */
export function simulatedRegistries(models: () => Iterable<RegistryModel>): Registries {
  const modelOf = (image: NodeImage): RegistryModel => {
    for (const model of models()) if (model.host === image.registry) return model;
    return { host: image.registry };
  };
  return {
    async find(image, secrets) {
      const model = modelOf(image);
      if (model.pullSecrets && !secrets.some((name) => model.pullSecrets!.includes(name))) {
        return {
          problem: 'unauthorized',
          message: `failed to pull and unpack image "${image.full}": failed to resolve reference "${image.full}": pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials`,
        };
      }
      const listed = model.images?.[`${image.repository}:${image.tag ?? image.digest}`];
      if (listed?.missing || (!listed && model.onlyListed)) {
        return {
          problem: 'missing',
          message: `rpc error: code = NotFound desc = failed to pull and unpack image "${image.full}": failed to resolve reference "${image.full}": ${image.full}: not found`,
        };
      }
      return {
        digest: listed?.digest ?? image.digest ?? `sha256:${hash(image.full)}`,
        sizeBytes: Math.round((listed?.megabytes ?? assumedMegabytes(image)) * megabyte),
        ...(listed?.programs ? { programs: listed.programs } : {}),
      };
    },
    cost(image) {
      const model = modelOf(image);
      return {
        latencyMs: model.latencyMs ?? defaults.latencyMs,
        bytesPerSecond: (model.megabytesPerSecond ?? defaults.megabytesPerSecond) * megabyte,
      };
    },
  };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Between 10 and 90 MB, derived from the name of the image. */
const assumedMegabytes = (image: NodeImage): number => 10 + (Number.parseInt(hash(image.full).slice(0, 6), 16) % 81);
