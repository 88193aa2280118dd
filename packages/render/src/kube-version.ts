import { RenderError } from './render-error.ts';

/** A version of Kubernetes without what a provider adds to it, as Argo CD tells it to templates: `v1.30.2-gke.1` → `1.30.2`. */
export function genericVersion(version: string | undefined): string | undefined {
  if (!version) return undefined;
  const numbers = /^\s*v?(\d+(?:\.\d+)+)/u.exec(version)?.[1];
  if (numbers === undefined)
    throw new RenderError(
      'InvalidOption',
      `${JSON.stringify(version)} is no version of Kubernetes: give one like 1.30`,
    );
  return numbers;
}
