import type { Application, ApplicationSource, AppProject } from '@fairlead/api';
import { sourceTypeOf } from '@fairlead/render';
import { fn, GoObject, GoSlice, type GoValue, stringSlice, structType } from '@fairlead/render/go-template';
import { type SourceAsk, type Sources, withNetworks } from '@fairlead/source';
import { allowedNetworksOf } from '../../project/allowed-networks.ts';
import { sourcesOf } from '../../source/desired-state.ts';
import { permitSource } from '../../source/remote-sources.ts';
import type { RepositoryAccess } from '../../source/repository-access.ts';
import { commitMetadata } from './commit-metadata.ts';
import { commitValue } from './commit-value.ts';
import type { LoadData } from './missing-data.ts';

export interface SourceDataOptions {
  readonly sources: Pick<Sources, 'resolve' | 'tree' | 'signable'>;
  readonly access: Pick<RepositoryAccess, 'credentialsFor'>;
}

/** Reads commits and the kind of source of an Application, as far as its project permits. */
export const sourceData =
  ({ sources, access }: SourceDataOptions) =>
  (application: Application, project: AppProject | undefined): LoadData => {
    const ask = (source: ApplicationSource): SourceAsk => {
      if (!project) throw new Error(`project ${application.spec.project || 'default'} does not exist`);
      permitSource(project, source.repoURL);
      const { name } = project.metadata;
      return {
        project: name,
        credentials: withNetworks(access.credentialsFor(source.repoURL, name), allowedNetworksOf(project)),
      };
    };
    return async (request) => {
      const [first] = sourcesOf(application.spec);
      if (request.kind === 'details') {
        if (!first) throw new Error('the application has no source');
        return details(sources, first, ask(first));
      }
      const { source } = application.spec;
      if (!source) throw new Error('failed to get application source repo URL');
      const found = await sources.signable(source, request.revision, request.revision, ask(source));
      if (!found) throw new Error(`${source.repoURL} is not a Git repository`);
      return commitValue(commitMetadata(found.content.toString()));
    };
  };

async function details(
  sources: SourceDataOptions['sources'],
  source: ApplicationSource,
  ask: SourceAsk,
): Promise<GoValue> {
  const revision = await sources.resolve(source, source.targetRevision ?? '', ask);
  const tree = await sources.tree(source, revision, ask);
  const type = await sourceTypeOf(source, tree, source.path ?? '.');
  return new GoObject(structType('shared.AppDetail'), {
    fields: [
      ['Type', type],
      ['Helm', type === 'Helm' ? helmDetails(source) : null],
      ['Kustomize', type === 'Kustomize' ? kustomizeDetails(source) : null],
      ['Directory', type === 'Directory' ? new GoObject(structType('apiclient.DirectoryAppSpec')) : null],
    ],
  });
}

const strings = (list: readonly string[]): GoSlice => new GoSlice([...list], stringSlice);

/** What the Application itself says of a chart; the chart's own values are not read. */
function helmDetails({ helm = {} }: ApplicationSource): GoObject {
  const { parameters = [], fileParameters = [], valueFiles = [], values = '', releaseName = '' } = helm;
  const byName = (name: string): string => parameters.find((one) => one.name === name)?.value ?? '';
  const pathOf = (name: string): string => fileParameters.find((one) => one.name === name)?.path ?? '';
  return new GoObject(structType('shared.CustomHelmAppSpec'), {
    fields: [
      [
        'HelmAppSpec',
        new GoObject(structType('apiclient.HelmAppSpec'), {
          fields: [
            ['Name', releaseName],
            ['ValueFiles', strings(valueFiles)],
            ['Values', values],
          ],
        }),
      ],
    ],
    methods: {
      GetParameterValueByName: fn('string', byName),
      GetFileParameterPathByName: fn('string', pathOf),
    },
  });
}

const kustomizeDetails = ({ kustomize = {} }: ApplicationSource): GoObject =>
  new GoObject(structType('apiclient.KustomizeAppSpec'), { fields: [['Images', strings(kustomize.images ?? [])]] });
