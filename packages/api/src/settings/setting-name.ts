import type { argocdCm } from './argocd-cm/index.ts';
import type { readParameters } from './argocd-cmd-params-cm/index.ts';
import type { SettingType } from './setting.ts';

type Read = typeof argocdCm & typeof readParameters;
type Named<K extends string> = K extends `${infer Start}*${infer End}` ? `${Start}${string}${End}` : K;

/** The keys of `argocd-cm` and `argocd-cmd-params-cm` with an effect that are of a type. Only these can be read. */
export type SettingName<T extends SettingType = SettingType> = {
  [K in keyof Read & string]: Read[K]['status'] extends 'not supported'
    ? never
    : Read[K]['type'] extends T
      ? Named<K>
      : never;
}[keyof Read & string];
