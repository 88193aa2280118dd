import type { ImageConfig, ImageUpdateSettings, ManifestTargets, WriteBackConfig } from '@fairlead/api';
import { annotationKey } from '../../src/config/annotation-table.ts';
import { imagesOf, manifestTargetOf, settingsOf, writeBackOf } from '../../src/config/annotations.ts';
import { planFor } from '../../src/config/application-plan.ts';
import { resolveWriteBack } from '../../src/config/write-back.ts';
import { applicationFrom } from './application.ts';
import type { Input, Ops } from './case.ts';

const settings = (found: ImageUpdateSettings | undefined) =>
  found && {
    update_strategy: found.updateStrategy ?? null,
    force_update: found.forceUpdate ?? null,
    allow_tags: found.allowTags ?? null,
    ignore_tags: found.ignoreTags ?? null,
    pull_secret: found.pullSecret ?? null,
    platforms: found.platforms ?? null,
  };

const target = (found: ManifestTargets | undefined) =>
  found && { helm: found.helm ?? null, kustomize: found.kustomize ?? null };

const image = ({ alias, imageName, commonUpdateSettings, manifestTargets }: ImageConfig) => ({
  alias,
  image: imageName,
  settings: settings(commonUpdateSettings) ?? null,
  target: target(manifestTargets) ?? null,
});

const writeBack = (found: WriteBackConfig | undefined) =>
  found && {
    method: found.method ?? null,
    git: found.gitConfig && {
      target: found.gitConfig.writeBackTarget ?? null,
      branch: found.gitConfig.branch ?? null,
      repository: found.gitConfig.repository ?? null,
    },
  };

function resolved(config: WriteBackConfig | undefined, { app, controller_namespace: namespace }: Input) {
  const place = { name: app.name, namespace: app.namespace ?? '', repoURL: app.repo_url, path: app.path ?? '' };
  const found = resolveWriteBack(config, place, namespace);
  return {
    method: found.method,
    target: found.target,
    kustomize_base: found.kustomizeBase,
    git_branch: found.branch,
    git_write_branch: found.writeBranch,
    repository: found.repository,
    provider: found.pullRequest?.provider ?? null,
    labels: found.pullRequest?.labels ?? [],
  };
}

const updateSettings = (from: Input): ImageUpdateSettings => ({
  ...(from['update_strategy'] === undefined ? {} : { updateStrategy: from['update_strategy'] }),
  ...(from['force_update'] === undefined ? {} : { forceUpdate: from['force_update'] }),
});

const method = (from: Input): WriteBackConfig =>
  from['write_back_method'] === undefined ? {} : { method: from['write_back_method'] };

export const annotationOps: Ops = {
  keys: ({ alias }) => ({
    allow_tags: annotationKey('allowTags', alias),
    ignore_tags: annotationKey('ignoreTags', alias),
    force_update: annotationKey('forceUpdate', alias),
    update_strategy: annotationKey('updateStrategy', alias),
    pull_secret: annotationKey('pullSecret', alias),
    platforms: annotationKey('platforms', alias) ?? null,
  }),
  image_list: ({ annotations }) => ({ images: imagesOf(annotations).map(image) }),
  settings: ({ annotations, alias }) => ({ settings: settings(settingsOf(annotations, alias)) ?? null }),
  manifest_target: ({ annotations, alias }) => ({ target: target(manifestTargetOf(annotations, alias)) ?? null }),
  write_back: ({ annotations }) => ({ write_back: writeBack(writeBackOf(annotations)) ?? null }),
  resolve_write_back: (input) => resolved(writeBackOf(input['annotations']), input),
  resolve_pull_request(input) {
    const { method: name, git } = input['settings'];
    return resolved({ method: name, gitConfig: { branch: git.branch, pullRequest: git.pull_request } }, input);
  },
  application({ app, annotations, resource: { global, ref } }) {
    const spec = {
      commonUpdateSettings: updateSettings(global),
      writeBackConfig: method(global),
      applicationRefs: [
        {
          namePattern: ref.name_pattern,
          useAnnotations: ref.use_annotations ?? false,
          commonUpdateSettings: updateSettings(ref),
          writeBackConfig: method(ref),
          images: (ref.images ?? []).map(({ alias, image: imageName }: Input) => ({ alias, imageName })),
        },
      ],
    };
    try {
      const plan = planFor(applicationFrom(app, annotations), spec, '');
      const rules = plan?.rules ?? [];
      return {
        selected: rules.length > 0,
        image_count: rules.length,
        aliases: rules.map(({ alias }) => alias),
        images: Object.fromEntries(
          rules.map((rule) => [
            rule.alias,
            {
              update_strategy: rule.strategy,
              force_update: rule.forceUpdate,
              allow_tags: rule.allowTags ?? null,
              ignore_tags: rule.ignoreTags,
              pull_secret: rule.pullSecret ?? null,
              platforms: rule.platforms,
            },
          ]),
        ),
        method: plan?.writeBack.method,
        target: plan?.writeBack.target,
        git_branch: plan?.writeBack.branch,
        git_write_branch: plan?.writeBack.writeBranch,
      };
    } catch {
      return { selected: false };
    }
  },
};
