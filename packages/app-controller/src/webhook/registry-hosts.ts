import { listIn, objectIn, type Push, textIn } from './push.ts';
import { sameText } from './signature.ts';
import { type Host, signed } from './webhook-host.ts';

/** The event of GitHub that is about its registry. */
export const packageEvent = 'package';

const artifactPush = (registry: string, repository: string, tag: string): Push => ({
  urls: [`oci://${registry}/${repository}`],
  ref: tag,
  touchedHead: false,
  isArtifact: true,
});

/** Registries that report a new tag of an artifact or chart. Other events of theirs are accepted and say nothing. */
export const registryHosts: readonly Host[] = [
  {
    name: 'GitHub packages',
    isFrom: (header) => header('x-github-event') === packageEvent,
    ...signed(['x-hub-signature-256'], ({ github }) => github),
    refusal: 401,
    event: (_, payload) => textIn(payload, 'action'),
    events: ['published'],
    pushes(payload) {
      const found = objectIn(payload, 'package');
      const metadata = objectIn(objectIn(found, 'package_version'), 'container_metadata');
      const tag = textIn(objectIn(metadata, 'tag'), 'name');
      if (textIn(found, 'package_type').toLowerCase() !== 'container' || tag === '') return [];
      return [artifactPush('ghcr.io', `${textIn(objectIn(found, 'owner'), 'login')}/${textIn(found, 'name')}`, tag)];
    },
  },
  {
    name: 'Harbor',
    // Only the secret identifies its requests.
    isFrom: (header, { harbor = '' }) => harbor !== '' && sameText(header('authorization') ?? '', harbor),
    secret: ({ harbor = '' }) => harbor,
    isGenuine: ({ header }, { harbor = '' }) => sameText(header('authorization') ?? '', harbor),
    event: (_, payload) => textIn(payload, 'type'),
    events: ['PUSH_ARTIFACT'],
    pushes(payload) {
      const data = objectIn(payload, 'event_data');
      const tagged = listIn(data, 'resources').find((one) => textIn(one, 'tag') !== '' && registryIn(one) !== '');
      if (tagged === undefined) return [];
      const repository = objectIn(data, 'repository');
      const [namespace, name] = [textIn(repository, 'namespace'), textIn(repository, 'name')];
      const full = textIn(repository, 'repo_full_name') || (namespace && name ? `${namespace}/${name}` : '');
      return full === '' ? undefined : [artifactPush(registryIn(tagged), full, textIn(tagged, 'tag'))];
    },
  },
];

/** `harbor.example.com` of `harbor.example.com/lib/img:1.0`; empty if the address has no path. */
function registryIn(resource: unknown): string {
  const [, host = ''] = /^(?:[a-z]+:\/\/)?([^/]+)\/./iu.exec(textIn(resource, 'resource_url')) ?? [];
  return host;
}
