import { quoteString } from '../go-template/quote.ts';
import { RenderError } from '../render-error.ts';
import { messageOf } from '../util/errors.ts';
import { builtInTransformers } from './built-in-transformers.ts';
import { crdConfig } from './config/crd-config.ts';
import type { Kustomization } from './config/kustomization.ts';
import {
  defaultConfig,
  emptyConfig,
  mergeConfigs,
  readConfig,
  type TransformerConfig,
} from './config/transformer-config.ts';
import { generate, withGlobalOptions } from './generators.ts';
import { type HelmSupport, inflateChart } from './helm-charts.ts';
import { type KustomizationFile, loadKustomization } from './kustomization-file.ts';
import { KustomizeError, within, withinAsync } from './kustomize-error.ts';
import type { Loader } from './loader.ts';
import { MalformedYamlError } from './node/read-nodes.ts';
import { loadTransformer, runGenerator } from './plugins.ts';
import { isSurelyFile, parseRemote } from './remote-address.ts';
import * as build from './resource/annotations.ts';
import { noteTransformation, type Origin, originText, pluginOrigin, setOrigin } from './resource/origin.ts';
import { readResources } from './resource/read-resources.ts';
import { ResMap } from './resource/res-map.ts';
import type { Resource } from './resource/resource.ts';
import type { Schemas } from './schema/schemas.ts';
import { attachVars, type Var } from './transform/vars.ts';
import type { Transformer, TransformerContext } from './transformer.ts';

/** The objects so far, and the configuration of fields that contain names and vars. */
export interface Accumulator {
  readonly map: ResMap;
  config: TransformerConfig;
  readonly vars: Map<string, Var>;
}

const emptyAccumulator = (): Accumulator => ({ map: new ResMap(), config: emptyConfig, vars: new Map() });

/** The state that all kustomizations of a build share. */
export interface SharedByAll {
  readonly schemas: Schemas;
  readonly helm: HelmSupport;
  /** Called with each deprecated field, as Kustomize reports it. */
  readonly onWarning: (warning: string) => void;
}

/** The state that a kustomization inherits from its parent. */
interface Inherited {
  readonly origin: Origin | undefined;
  readonly chartNamespace: string;
}

/** One kustomization and its folder. */
export class Target {
  readonly kustomization: Kustomization;
  private readonly fileName: string;
  private readonly loader: Loader;
  private readonly shared: SharedByAll;
  /** The origin of its objects; set only if `buildMetadata` asks for it. */
  private readonly origin: Origin | undefined;
  private readonly context: TransformerContext;

  private constructor(file: KustomizationFile, loader: Loader, shared: SharedByAll, inherited: Inherited) {
    this.kustomization = file.kustomization;
    this.fileName = file.fileName;
    this.loader = loader;
    this.shared = shared;
    this.origin = inherited.origin;
    const chartNamespace = file.kustomization.namespace || inherited.chartNamespace;
    this.context = { loader, schemas: shared.schemas.lookup, helm: shared.helm, chartNamespace };
  }

  /** The kustomization at the root of a build. */
  static async root(loader: Loader, shared: SharedByAll): Promise<Target> {
    const file = await loadKustomization(loader, shared.onWarning);
    await shared.schemas.use(file.kustomization.openapi, loader, true);
    const tracks = (file.kustomization.buildMetadata ?? []).length > 0;
    return new Target(file, loader, shared, { origin: tracks ? {} : undefined, chartNamespace: '' });
  }

  /** Loads the objects of the kustomization and applies its transformers. */
  async accumulate(accumulator = emptyAccumulator()): Promise<Accumulator> {
    const { kustomization, loader } = this;
    await withinAsync('accumulating resources', () =>
      this.accumulateResources(accumulator, kustomization.resources ?? []),
    );
    let config = defaultConfig();
    for (const path of kustomization.configurations ?? [])
      config = mergeConfigs(config, readConfig(await loader.loadText(path)));
    accumulator.config = mergeConfigs(accumulator.config, config);
    const { crds = [] } = kustomization;
    for (const path of crds)
      accumulator.config = await withinAsync(`loading CRDs [${crds.join(' ')}]`, async () =>
        mergeConfigs(accumulator.config, crdConfig(await loader.loadText(path), path)),
      );
    await this.runGenerators(accumulator);
    await withinAsync('accumulating components', () =>
      this.accumulateComponents(accumulator, kustomization.components ?? []),
    );
    await this.runTransformers(accumulator);
    await this.runValidators(accumulator);
    attachVars(accumulator.map, kustomization.vars ?? []);
    addVars(accumulator, kustomization.vars ?? []);
    return accumulator;
  }

  private async accumulateResources(accumulator: Accumulator, paths: readonly string[]): Promise<void> {
    const taken = accumulator.map.takenIds();
    for (const path of paths) {
      try {
        await this.accumulateFile(accumulator, path, taken);
      } catch (error) {
        // An error of the tree does not mean that the file is missing.
        if (!(error instanceof RenderError) || isSurelyFile(path)) throw error;
        await this.accumulateBase(accumulator, path, taken, error);
      }
    }
  }

  private async accumulateFile(accumulator: Accumulator, path: string, taken: Set<string>): Promise<void> {
    let resources: Resource[];
    try {
      resources = readResources(await this.loader.loadText(path));
    } catch (error) {
      throw unreadable(path, error);
    }
    this.shared.schemas.saw(resources);
    const origin = this.originAt(path);
    if (origin) for (const resource of resources) resource.annotate(build.origin, originText(origin));
    within(`merging resources from '${path}'`, () => accumulator.map.appendAll(resources, taken));
  }

  /** A resource that is not a file of objects is a folder or a repository. An error reports both attempts. */
  private async accumulateBase(
    accumulator: Accumulator,
    path: string,
    taken: Set<string>,
    asFile: RenderError,
  ): Promise<void> {
    const attempt = `accumulation err='${asFile.message}'`;
    let loader: Loader;
    try {
      loader = await this.loader.at(path);
    } catch (error) {
      if (asFile instanceof MalformedYamlError) throw asFile;
      if (parseRemote(path) !== undefined) throw error;
      throw new KustomizeError(`${attempt}: ${messageOf(error)}`, asFile.reason);
    }
    await withinAsync(attempt, () => this.accumulateFolder(accumulator, loader, path, taken));
  }

  private async accumulateComponents(accumulator: Accumulator, paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const loader = await quoting('loader.New', () => this.loader.at(path));
      await quoting('accumulateDirectory:', () => this.accumulateFolder(accumulator, loader, path));
    }
  }

  private async accumulateFolder(
    accumulator: Accumulator,
    loader: Loader,
    path: string,
    /** Ids in use. Undefined for a component. */
    taken?: Set<string>,
  ): Promise<void> {
    const isComponent = taken === undefined;
    const { kustomization, fileName } = await withinAsync(`couldn't make target for path '${loader.where}'`, () =>
      loadKustomization(loader, this.shared.onWarning),
    );
    const { kind } = kustomization;
    if (isComponent !== (kind === 'Component'))
      throw new KustomizeError(
        isComponent
          ? `expected kind 'Component' for path '${loader.where}' but got '${kind}'`
          : `expected kind != 'Component' for path '${loader.where}'`,
      );
    await this.shared.schemas.use(kustomization.openapi, loader, false);
    const { buildMetadata } = this.kustomization;
    const file = { fileName, kustomization: { ...kustomization, ...(buildMetadata ? { buildMetadata } : {}) } };
    const { chartNamespace } = this.context;
    const target = new Target(file, loader, this.shared, { origin: this.originAt(path), chartNamespace });
    const other = await withinAsync(`recursed accumulation of path '${loader.where}'`, () =>
      target.accumulate(isComponent ? accumulator : undefined),
    );
    if (isComponent) return;
    await withinAsync(`recursed merging from path '${loader.where}'`, async () => {
      accumulator.map.appendAll(other.map.resources, taken);
      accumulator.config = mergeConfigs(accumulator.config, other.config);
      addVars(accumulator, [...other.vars.values()]);
    });
  }

  private originAt(path: string): Origin | undefined {
    if (!this.origin) return undefined;
    const remote = parseRemote(path);
    if (!remote) return { ...this.origin, path: joined(this.origin.path ?? '', path) };
    const [repo = '', query = ''] = remote.repository.split('?ref=');
    return { repo, ...(query ? { ref: query } : {}), path: remote.path };
  }

  /** The origin of objects that the kustomization itself generates or changes. */
  private ownOrigin(kind: string): Origin | undefined {
    if (!this.origin) return undefined;
    const { repo, ref, path = '' } = this.origin;
    return {
      ...(repo ? { repo } : {}),
      ...(ref ? { ref } : {}),
      configuredIn: joined(path, this.fileName),
      configuredBy: { apiVersion: 'builtin', kind },
    };
  }

  private async runGenerators(accumulator: Accumulator): Promise<void> {
    const { kustomization, loader } = this;
    const generated: { resource: Resource; origin: Origin | undefined }[] = [];
    for (const [field, kind] of [
      ['configMapGenerator', 'ConfigMap'],
      ['secretGenerator', 'Secret'],
    ] as const) {
      for (const args of kustomization[field] ?? []) {
        const options = withGlobalOptions(args.options, kustomization.generatorOptions);
        const resource = await generate(loader, kind, { ...args, ...(options ? { options } : {}) });
        generated.push({ resource, origin: this.ownOrigin(`${kind}Generator`) });
      }
    }
    for (const chart of kustomization.helmCharts ?? []) {
      const { chartNamespace, helm } = this.context;
      const placed = { ...chart, namespace: chart.namespace || chartNamespace };
      for (const resource of await inflateChart(loader, placed, kustomization.helmGlobals ?? {}, helm))
        generated.push({ resource, origin: this.ownOrigin('HelmChartInflationGenerator') });
    }
    const generators = await withinAsync('loading generator plugins', () =>
      this.pluginConfigs(kustomization.generators ?? []),
    );
    for (const config of generators) {
      const origin = pluginOrigin(config);
      for (const resource of await runGenerator(this.context, config)) generated.push({ resource, origin });
    }
    for (const { resource, origin } of generated) {
      if (origin && resource.annotation(build.origin) === undefined) setOrigin(resource, origin);
      accumulator.map.absorb(resource);
    }
  }

  /** Objects that configure plugins: inline, in files, or from other kustomizations. */
  private async pluginConfigs(entries: readonly string[]): Promise<Resource[]> {
    const accumulator = emptyAccumulator();
    const paths: string[] = [];
    for (const entry of entries) {
      const inline = inlineResources(entry);
      if (!inline) {
        paths.push(entry);
        continue;
      }
      this.shared.schemas.saw(inline);
      const origin = this.originAt(this.fileName);
      if (origin) for (const resource of inline) setOrigin(resource, origin);
      accumulator.map.appendAll(inline);
    }
    await this.accumulateResources(accumulator, paths);
    return accumulator.map.resources;
  }

  private async runTransformers(accumulator: Accumulator): Promise<void> {
    const own = await builtInTransformers(this.context, this.kustomization, accumulator.config);
    const transformers: Transformer[] = own.map(({ kind, run }) => withOrigin(run, this.ownOrigin(kind)));
    for (const config of await this.pluginConfigs(this.kustomization.transformers ?? [])) {
      const transformer = await loadTransformer(this.context, config);
      transformers.push(withOrigin((map) => transformer.run(map), pluginOrigin(config)));
    }
    for (const { run, origin } of transformers) {
      run(accumulator.map);
      if (origin)
        for (const resource of accumulator.map.resources) if (!resource.isGone) noteTransformation(resource, origin);
      accumulator.map.dropEmpty();
    }
  }

  private async runValidators({ map }: Accumulator): Promise<void> {
    for (const config of await this.pluginConfigs(this.kustomization.validators ?? [])) {
      const validator = await loadTransformer(this.context, config);
      const copy = new ResMap();
      copy.resources = map.resources.map((resource) => resource.copy());
      validator.run(copy);
      for (const resource of copy.resources) {
        const { labels } = resource;
        if (labels.delete('validated-by')) resource.labels = labels;
      }
      const texts = (it: ResMap): string => it.resources.map(({ yaml }) => yaml).join('---\n');
      if (texts(copy) !== texts(map)) throw new KustomizeError("validator shouldn't modify the resource map");
    }
  }
}

const withOrigin = (run: (map: ResMap) => void, origin: Origin | undefined): Transformer => ({
  run,
  ...(origin ? { origin } : {}),
});

function addVars(accumulator: Accumulator, vars: readonly Var[]): void {
  for (const variable of vars) {
    if (accumulator.vars.has(variable.name)) throw new KustomizeError(`var '${variable.name}' already encountered`);
    accumulator.vars.set(variable.name, variable);
  }
}

function inlineResources(entry: string): Resource[] | undefined {
  try {
    const map = new ResMap();
    map.appendAll(readResources(entry));
    return map.resources;
  } catch {
    return undefined;
  }
}

function joined(folder: string, path: string): string {
  const names: string[] = [];
  for (const name of `${folder}/${path}`.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop();
    else names.push(name);
  }
  return names.join('/');
}

/** An error of reading a file of objects. Errors of the tree are unchanged. */
function unreadable(path: string, error: unknown): unknown {
  if (!(error instanceof RenderError)) return error;
  const message = `accumulating resources from '${path}': ${error.message}`;
  if (error instanceof MalformedYamlError) return new MalformedYamlError(`${message} in File: ${path}`);
  return new KustomizeError(message, error.reason);
}

/** Runs a step. Its errors are quoted, as Kustomize does for components. */
async function quoting<T>(context: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    throw new KustomizeError(`${context} ${quoteString(error.message)}`, error.reason);
  }
}
