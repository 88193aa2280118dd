import type { Application, ImageUpdater } from '@fairlead/api';
import type { PlanProblem } from '../../src/config/application-plan.ts';
import { nameMatches, orderRefs, selectsLabels, specificity } from '../../src/config/application-refs.ts';
import type { ImageRule } from '../../src/config/image-rule.ts';
import { parseRegistriesConf } from '../../src/config/registries-conf.ts';
import { endpointOf, RegistryEndpoints } from '../../src/config/registry-endpoints.ts';
import type { Login } from '../../src/credentials/docker-config.ts';
import { resolveBranch } from '../../src/git/git-writer.ts';
import { ImagesError } from '../../src/images-error.ts';
import { parseImage } from '../../src/reference/image-reference.ts';
import { ImageRegistries } from '../../src/registry/image-registries.ts';
import type { RegistryClient } from '../../src/registry/registry-client.ts';
import { watchedApplications } from '../../src/run/watched-applications.ts';
import { decideUpdate } from '../../src/update/decide-update.ts';
import { liveImageOf, liveImages } from '../../src/update/live-images.ts';
import { applicationTypeOf, branchOf, sourceOf, sourceTypeOf } from '../../src/write-back/application-source.ts';
import { applicationFrom, ruleFrom, writeBackFrom } from './application.ts';
import { FailedWith, type Input, type Ops } from './case.ts';
import { credentialSourcesFrom } from './credentials.ts';

/** A registry with the responses of a case. */
function clientFor(registry: Input, opened: { count: number }): RegistryClient {
  const refused = (status: number): ImagesError =>
    new ImagesError(status === 401 || status === 403 ? 'RegistryRefused' : 'RegistryUnavailable', `answered ${status}`);
  const answers: Input[] = registry['responses'] ?? [{ tags: registry['tags'] ?? [] }];
  return {
    async tags() {
      if (registry['list_error']) throw refused(500);
      const answer = answers[Math.min(opened.count - 1, answers.length - 1)]!;
      if (answer['status']) throw refused(answer['status']);
      return { tags: answer['tags'], etag: undefined };
    },
    async digest(_repository, tag) {
      const digest = registry['digests']?.[tag];
      if (!digest) throw new ImagesError('ImageNotFound', `there is no tag ${tag}`);
      return digest;
    },
    manifest: () => Promise.reject(refused(404)),
    blob: () => Promise.reject(refused(404)),
  };
}

function ruleOf(image: Input) {
  const rule = ruleFrom(image);
  return image['kustomize_image'] ? { ...rule, kustomizeImage: parseImage(image['kustomize_image']) } : rule;
}

async function update(input: Input) {
  const { app, images, registry, registries_conf: conf } = input;
  const opened = { count: 0 };
  let login: Login | undefined;
  let now = 0;
  const tries = { count: 0 };
  const prefixes = new Set<string>();
  const repositories = new Set<string>();
  const registries = new ImageRegistries({
    endpoints: conf
      ? new RegistryEndpoints(parseRegistriesConf(conf).map((one) => endpointOf(one, () => '')))
      : new RegistryEndpoints(),
    credentials: credentialSourcesFrom(input),
    policy: { allowProcessSources: false },
    clock: { now: () => ++now, after: () => () => {} },
    open(endpoint, given) {
      opened.count++;
      prefixes.add(endpoint.prefix);
      login = given;
      if (registry.client_error) throw new ImagesError('RegistryUnavailable', 'no client');
      // The cases use a new client for each attempt and each response.
      return {
        ...clientFor(registry, opened),
        tags(repository) {
          tries.count++;
          repositories.add(repository);
          return clientFor(registry, tries).tags(repository);
        },
      };
    },
  });
  const application = applicationFrom(app);
  const rules: ImageRule[] = [];
  const problems: PlanProblem[] = [];
  for (const image of images) {
    try {
      rules.push(ruleOf(image));
    } catch (error) {
      problems.push({ image: image.ref, error: error as ImagesError });
    }
  }
  const plan = { application, rules, writeBack: writeBackFrom(input['write_back'])!, problems };
  const decision = await decideUpdate(plan, {
    select: (rule, namespace) => registries.select(rule, namespace, { notBefore: 0 }),
    async verify(rule) {
      throw new ImagesError('NotVerified', `${rule.alias} has no key`);
    },
  });
  const source = sourceOf(decision.application, plan.writeBack)?.source;
  const kustomize = source?.kustomize?.images ?? [];
  const written = kustomize.map((image) => parseImage(image));
  return {
    counts: {
      processed: 1,
      considered: decision.considered,
      updated: decision.changes.length,
      skipped: decision.skipped,
      errors: decision.problems.length,
    },
    kustomize_images: kustomize,
    kustomize_images_count: kustomize.length,
    repositories: [...repositories],
    registry_prefixes: [...prefixes],
    first_kustomize_image: kustomize[0] ?? '',
    first_kustomize_image_tag: written[0]?.tag,
    helm_parameters: Object.fromEntries((source?.helm?.parameters ?? []).map(({ name = '', value }) => [name, value])),
    registry_login: login,
    registry_clients: Math.max(opened.count, tries.count),
  };
}

const ref = (input: Input) => ({
  namePattern: input['name_pattern'],
  ...(input['selector'] ? { labelSelectors: selector(input['selector']) } : {}),
  images: (input['images'] ?? []).map(({ alias, image }: Input) => ({ alias, imageName: image })),
});
const selector = ({ match_labels: matchLabels, match_expressions: matchExpressions }: Input) => ({
  ...(matchLabels ? { matchLabels } : {}),
  ...(matchExpressions ? { matchExpressions } : {}),
});

const typed = ({ app, write_back: settings }: Input) => {
  const application = applicationFrom(app);
  const writeBack = writeBackFrom(settings);
  const placed = sourceOf(application, writeBack);
  return {
    type: applicationTypeOf(application, writeBack),
    source_type: sourceTypeOf(application, writeBack),
    source_path: placed?.source.path,
    path: placed?.source.path,
    repo_url: placed?.source.repoURL,
    target_revision: placed?.source.targetRevision,
    has: placed?.source.helm
      ? 'helm'
      : placed?.source.kustomize
        ? 'kustomize'
        : placed?.source.plugin
          ? 'plugin'
          : null,
    index: typeof placed?.location === 'object' ? placed.location.index : null,
  };
};

const live = ({ status_images: images, configured }: Input) => {
  const application = applicationFrom({ live_images: images });
  const rules = configured.map(ruleOf) as ReturnType<typeof ruleOf>[];
  return { rules, images: liveImages(application, rules) };
};

const matchesName = (name: string, pattern: string): boolean => {
  try {
    return nameMatches(name, pattern);
  } catch {
    return false;
  }
};

export const applicationOps: Ops = {
  update,
  live_images(input) {
    const { rules, images } = live(input);
    return {
      names: images.map(({ name }) => name),
      tags: images.map(({ tag }) => tag ?? null),
      constraint_kept: rules[0]?.image.tag ?? null,
    };
  },
  live_configured_images(input) {
    const { rules, images } = live(input);
    const found = rules.filter((rule) => liveImageOf(images, rule));
    return {
      names: found.map(({ image }) => image.name),
      aliases: found.map(({ alias, image }) => alias || image.name),
    };
  },
  type: typed,
  source: typed,
  write_back_branch: ({ app, git_repo: repository }) => ({
    branch: branchOf(applicationFrom(app), repository ?? '', undefined),
  }),
  async checkout_branch({ target_revision: revision, configured_branch: configured, remote_default: byDefault }) {
    return {
      branch: await resolveBranch(configured || revision, async () => {
        if (!byDefault) throw new Error('the remote has no default branch');
        return byDefault;
      }),
    };
  },
  name_matches({ name, pattern }) {
    try {
      return { match: nameMatches(name, pattern) };
    } catch (error) {
      throw new FailedWith(error, { match: false });
    }
  },
  name_matches_any: ({ name, patterns }) => ({
    match: !patterns?.length || patterns.some((pattern: string) => matchesName(name, pattern)),
  }),
  labels_match: ({ labels, selector: labelSelector }) => ({
    match: selectsLabels(labels ?? {}, labelSelector ? selector(labelSelector) : undefined),
  }),
  specificity: ({ ref: input }) => ({ score: specificity(ref(input)) }),
  order_refs: ({ refs }) => ({
    refs: orderRefs((refs as Input[]).map((input) => ({ ...ref(input), input }))).map(({ input }) => input),
  }),
  select_apps({ apps, refs, namespace }) {
    const updater = {
      apiVersion: '',
      kind: '',
      metadata: { name: 'one', namespace },
      spec: { applicationRefs: refs.map(ref) },
    } as ImageUpdater;
    const applications: Application[] = apps.map((app: Input) => applicationFrom({ namespace, ...app }));
    const { watched, broken } = watchedApplications(applications, [updater], {
      controllerNamespace: '',
      annotations: false,
    });
    const problem = broken.get(updater);
    if (problem) throw problem;
    if (applications.length === 0) return { apps: null };
    const selected = watched.filter(({ plan }) => plan && plan.rules.length > 0);
    return {
      apps: selected.map(({ name }) => name),
      image_counts: Object.fromEntries(selected.map(({ name, plan }) => [name, plan!.rules.length])),
    };
  },
};
