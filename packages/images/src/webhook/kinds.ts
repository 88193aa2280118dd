import { cloudEvents } from './cloud-events.ts';
import { at, type ImageEvent, readJson, refuse, required, textAt, type WebhookKind } from './event.ts';
import { isJson, isPost, isSigned, knowsSecret } from './proof.ts';

const event = (fields: Partial<ImageEvent>): readonly ImageEvent[] => [
  { registry: '', repository: '', tag: '', digest: '', ...fields },
];

const dockerHub: WebhookKind = {
  type: 'docker.io',
  validate(request, secret) {
    isPost(request);
    knowsSecret(request.query.get('secret'), secret);
  },
  parse(request) {
    const payload = readJson(request);
    const [namespace, name] = [textAt(payload, 'repository', 'namespace'), textAt(payload, 'repository', 'name')];
    const repository =
      textAt(payload, 'repository', 'repo_name') || (namespace && name ? `${namespace}/${name}` : name);
    return event({
      registry: 'docker.io',
      repository: required(repository, 'repository'),
      tag: required(textAt(payload, 'push_data', 'tag'), 'tag'),
    });
  },
};

const ghcr: WebhookKind = {
  type: 'ghcr.io',
  validate(request, secret) {
    isPost(request);
    const kind = request.headers['x-github-event'] ?? '';
    if (kind !== 'package') refuse(`the event ${JSON.stringify(kind)} is not one of a package`);
    if (secret === '') return;
    if (!isSigned(request.body, secret, request.headers['x-hub-signature-256'] ?? ''))
      refuse('the signature is invalid');
  },
  parse(request) {
    const payload = readJson(request);
    const action = textAt(payload, 'action');
    if (action !== 'published') refuse(`the action ${JSON.stringify(action)} publishes nothing`);
    const found = at(payload, 'package');
    const type = textAt(found, 'package_type');
    if (type.toLowerCase() !== 'container') refuse(`a package of type ${JSON.stringify(type)} is not an image`);
    const name = required(textAt(found, 'name'), 'package');
    const owner = required(textAt(found, 'owner', 'login'), 'owner');
    const version = at(found, 'package_version');
    const tag =
      textAt(version, 'container_metadata', 'tag', 'name') || textAt(version, 'name') || textAt(version, 'version');
    return event({ registry: 'ghcr.io', repository: `${owner}/${name}`.toLowerCase(), tag: required(tag, 'tag') });
  },
};

const quay: WebhookKind = {
  type: 'quay.io',
  validate: dockerHub.validate,
  parse(request) {
    const payload = readJson(request);
    const tags = at(payload, 'updated_tags');
    const named = Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === 'string' && tag !== '') : [];
    if (named.length === 0) refuse('the payload names no tag');
    const url = textAt(payload, 'docker_url');
    const registry = url === '' ? 'quay.io' : registryFromUrl(url);
    const repository = required(textAt(payload, 'repository'), 'repository');
    return named.flatMap((tag) => event({ registry, repository, tag }));
  },
};

/** The host of `[https://]host[:port]/…`. */
export function registryFromUrl(url: string): string {
  const [host = ''] = url.replace(/^https?:\/\//u, '').split('/', 1);
  return host === '' ? 'quay.io' : host;
}

const harbor: WebhookKind = {
  type: 'harbor',
  validate(request, secret) {
    isPost(request);
    isJson(request);
    knowsSecret(request.headers['authorization'], secret);
  },
  parse(request) {
    const payload = readJson(request);
    const type = textAt(payload, 'type');
    if (type !== 'PUSH_ARTIFACT') refuse(`the event ${JSON.stringify(type)} pushes nothing`);
    const data = at(payload, 'event_data');
    const [namespace, name] = [textAt(data, 'repository', 'namespace'), textAt(data, 'repository', 'name')];
    const repository =
      textAt(data, 'repository', 'repo_full_name') || (namespace && name ? `${namespace}/${name}` : name);
    const resources = at(data, 'resources');
    if (!Array.isArray(resources) || resources.length === 0) return refuse('the payload has no resources');
    return resources.flatMap((resource: unknown) => {
      const url = textAt(resource, 'resource_url');
      return event({
        registry: url === '' ? 'harbor' : registryFromUrl(url),
        repository: required(repository, 'repository'),
        tag: required(textAt(resource, 'tag'), 'tag'),
        digest: textAt(resource, 'digest'),
      });
    });
  },
};

const azure: WebhookKind = {
  type: 'acr',
  validate: harbor.validate,
  parse(request) {
    const payload = readJson(request);
    const action = textAt(payload, 'action');
    if (action !== 'push') refuse(`the action ${JSON.stringify(action)} pushes nothing`);
    return event({
      registry: textAt(payload, 'request', 'host'),
      repository: required(textAt(payload, 'target', 'repository'), 'repository'),
      tag: textAt(payload, 'target', 'tag'),
      digest: textAt(payload, 'target', 'digest'),
    });
  },
};

const aliyun: WebhookKind = {
  type: 'aliyun-acr',
  validate: dockerHub.validate,
  parse(request) {
    const payload = readJson(request);
    const found = at(payload, 'repository');
    const [namespace, name] = [textAt(found, 'namespace'), textAt(found, 'name')];
    const repository = textAt(found, 'repo_full_name') || (namespace && name ? `${namespace}/${name}` : name);
    const region = textAt(found, 'region');
    return event({
      registry: request.query.get('registry_url') || (region === '' ? '' : `registry.${region}.aliyuncs.com`),
      repository: required(repository, 'repository'),
      tag: required(textAt(payload, 'push_data', 'tag'), 'tag'),
      digest: textAt(payload, 'push_data', 'digest'),
    });
  },
};

/** GitLab sends package events and registry notifications with a token in a header. */
const gitlab: WebhookKind = {
  type: 'gitlab',
  validate(request, secret) {
    isPost(request);
    isJson(request);
    knowsSecret(
      request.headers['x-gitlab-token'] ?? request.headers['authorization']?.replace(/^Bearer /iu, ''),
      secret,
    );
  },
  parse: (request) => distributionEvents(readJson(request)),
};

/** The notification format of the registry of Docker, and of all that are based on it. */
const distribution: WebhookKind = {
  type: 'distribution',
  validate(request, secret) {
    isPost(request);
    isJson(request, 'application/vnd.docker.distribution.events');
    const authorization = request.headers['authorization'];
    knowsSecret(authorization?.replace(/^Bearer /iu, '') ?? request.query.get('secret'), secret);
  },
  parse: (request) => distributionEvents(readJson(request)),
};

/** It also reports blobs, pulls and deletions; these are not an error, or the registry would retry them forever. */
function distributionEvents(payload: unknown): readonly ImageEvent[] {
  const events = at(payload, 'events');
  if (!Array.isArray(events)) return refuse('the payload has no events');
  return events.flatMap((entry: unknown) => {
    const repository = textAt(entry, 'target', 'repository');
    const isImage = !/octet-stream|blob/u.test(textAt(entry, 'target', 'mediaType'));
    if (textAt(entry, 'action') !== 'push' || repository === '' || !isImage) return [];
    const url = textAt(entry, 'target', 'url');
    return event({
      registry: textAt(entry, 'request', 'host') || (url === '' ? '' : registryFromUrl(url)),
      repository,
      tag: textAt(entry, 'target', 'tag'),
      digest: textAt(entry, 'target', 'digest'),
    });
  });
}

export const webhookKinds: readonly WebhookKind[] = [
  dockerHub,
  ghcr,
  quay,
  harbor,
  azure,
  aliyun,
  cloudEvents,
  gitlab,
  distribution,
];
