import { type ConfigMap, configMapType } from '@fairlead/apimachinery';
import { type ApiClient, type Clock, Informer, type Logger, type Random } from '@fairlead/kube';
import type { ManifestCache, RenderContext } from '@fairlead/render';
import { controlPlaneNamespace } from '../install.ts';

type RenderSettings = Pick<RenderContext, 'kustomizeBuildOptions'>;

/** The ConfigMap with Argo CD's settings. */
const settingsName = 'argocd-cm';

/** The render settings. */
export function settingsIn(data: Readonly<Record<string, string>> = {}): RenderSettings {
  const kustomizeBuildOptions = data['kustomize.buildOptions']?.trim();
  return kustomizeBuildOptions ? { kustomizeBuildOptions } : {};
}

/** A cache that uses the current settings for each render. */
export const withSettings = (manifests: ManifestCache, settings: () => RenderSettings): ManifestCache => ({
  render: (repository, source, tree, context) =>
    manifests.render(repository, source, tree, { ...context, ...settings() }),
  forget: (repository, source, context) => manifests.forget(repository, source, { ...context, ...settings() }),
  get renders() {
    return manifests.renders;
  },
  get bytes() {
    return manifests.bytes;
  },
});

/** Watches the settings until the signal aborts; resolves after the first list. */
export async function followRenderSettings(
  client: ApiClient,
  shared: { readonly clock: Clock; readonly random: Random; readonly log: Logger },
  signal: AbortSignal,
): Promise<() => RenderSettings> {
  const namespace = controlPlaneNamespace;
  const selection = { namespace, fieldSelector: `metadata.name=${settingsName}` };
  const informer = new Informer<ConfigMap>(client, configMapType, selection, shared);
  void informer.run(signal);
  await informer.waitForSync(signal);
  return () => settingsIn(informer.get(`${namespace}/${settingsName}`)?.data);
}
