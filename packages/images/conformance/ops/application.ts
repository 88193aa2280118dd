import type { Application, ApplicationSource } from '@fairlead/api';
import { type ImageRule, imageRule } from '../../src/config/image-rule.ts';
import type { WriteBack } from '../../src/config/write-back.ts';
import type { Input } from './case.ts';

const given = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

const parameter = ({ name, value, force_string: forceString }: Input) => given({ name, value, forceString });

export const sourceFrom = (source: Input): ApplicationSource =>
  given({
    repoURL: source['repo_url'] ?? '',
    path: source['path'],
    targetRevision: source['target_revision'],
    chart: source['chart'],
    ref: source['ref'],
    helm:
      source['helm'] &&
      given({
        parameters: source['helm'].parameters?.map(parameter),
        releaseName: source['helm'].release_name,
        valueFiles: source['helm'].value_files,
      }),
    kustomize: source['kustomize'],
    plugin: source['plugin'],
  }) as ApplicationSource;

export function applicationFrom(app: Input, annotations: Input = {}): Application {
  const flat = ['repo_url', 'path', 'target_revision', 'chart'].some((name) => app[name] !== undefined);
  const source = app['source'] ?? (app['sources'] || app['dry_source'] ? undefined : flat ? app : {});
  const spec = {
    project: 'default',
    destination: { server: 'https://kubernetes.default.svc' },
    ...(source ? { source: sourceFrom(source) } : {}),
    ...(app['sources'] ? { sources: app['sources'].map(sourceFrom) } : {}),
    ...(app['dry_source']
      ? { sourceHydrator: { drySource: { targetRevision: '', path: '', ...sourceFrom(app['dry_source']) } } }
      : {}),
  };
  const status = {
    ...(app['source_type'] ? { sourceType: app['source_type'] } : {}),
    ...(app['source_types'] ? { sourceTypes: app['source_types'] } : {}),
    summary: { images: app['live_images'] ?? [] },
  };
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: app['name'] ?? '', namespace: app['namespace'] ?? '', annotations, labels: app['labels'] ?? {} },
    spec,
    status,
  } as unknown as Application;
}

/** Fields of an image as several files have them: `image` or `ref`, `[alias=]name[:constraint]`. */
export function ruleFrom(image: Input): ImageRule {
  const text: string = image['image'] ?? image['ref'];
  const equals = text.indexOf('=');
  const hasAlias = equals > 0 && !/:[^/]*[<>!~^]$/u.test(text.slice(0, equals));
  const helm = given({
    name: image['helm_name'] || undefined,
    tag: image['helm_tag'] || undefined,
    spec: image['helm_spec'] || undefined,
  });
  const plugin = given({
    name: image['plugin_env_name'] || undefined,
    tag: image['plugin_env_tag'] || undefined,
    spec: image['plugin_env_spec'] || undefined,
  });
  const kustomize = image['kustomize_name'] || undefined;
  const rule = imageRule({
    alias: image['alias'] ?? (hasAlias ? text.slice(0, equals) : ''),
    imageName: hasAlias && image['alias'] === undefined ? text.slice(equals + 1) : text,
    commonUpdateSettings: given({
      updateStrategy: image['update_strategy'],
      forceUpdate: image['force_update'],
      allowTags: image['allow_tags'],
      ignoreTags: image['ignore_tags'],
      pullSecret: image['pull_secret'],
      platforms: image['platforms'],
    }),
    ...(image['verify'] ? { imagesVerification: image['verify'] } : {}),
    manifestTargets: given({
      helm: Object.keys(helm).length > 0 ? helm : undefined,
      plugin: Object.keys(plugin).length > 0 ? plugin : undefined,
      kustomize: kustomize === undefined ? undefined : { name: kustomize },
    }),
  });
  return rule;
}

export const writeBackFrom = (settings: Input | null | undefined): WriteBack | undefined =>
  settings
    ? {
        method: settings['method'] === 'git' ? 'git' : 'argocd',
        target: settings['target'] ?? '',
        kustomizeBase: settings['kustomize_base'] ?? '',
        repository: settings['git_repo'] ?? '',
        branch: settings['git_branch'] ?? '',
        writeBranch: '',
        credentials: { kind: 'repocreds' },
        pullRequest: undefined,
      }
    : undefined;
