import { fromBytes } from '../go-template/go-string.ts';
import { GoMap, type GoValue, int } from '../go-template/go-value.ts';
import { RenderError } from '../render-error.ts';
import { baseName } from '../sprig/paths.ts';
import type { Chart } from './chart.ts';
import { chartObject } from './chart-object.ts';
import { type Engine, explainTemplateError } from './engine.ts';
import { filesObject } from './files.ts';
import { parsingOrder } from './template-order.ts';
import { valuesObject } from './values-object.ts';

export interface Release {
  readonly name: string;
  readonly namespace: string;
  readonly revision?: number;
  readonly isUpgrade?: boolean;
}

interface Renderable {
  readonly source: string;
  readonly dot: GoMap;
  readonly basePath: string;
}

export const releaseObject = ({ name, namespace, revision = 1, isUpgrade = false }: Release): GoMap =>
  new GoMap([
    ['Name', name],
    ['Namespace', namespace],
    ['IsUpgrade', isUpgrade],
    ['IsInstall', !isUpgrade],
    ['Revision', int(revision)],
    ['Service', 'Helm'],
  ] satisfies [string, GoValue][]);

/** The output of each template of a chart and its dependencies, by path. Partials (`_…`) are not rendered themselves. */
export function renderTemplates(
  engine: Engine,
  chart: Chart,
  values: GoMap,
  shared: { readonly release: GoMap; readonly capabilities: GoValue },
): Map<string, string> {
  const templates = new Map<string, Renderable>();
  collect(chart, '', valuesObject(values), shared, templates);
  const order = parsingOrder(templates.keys());
  const rendered = new Map<string, string>();
  try {
    for (const path of order) engine.parse(path, templates.get(path)!.source);
    for (const path of order) {
      if (baseName(path).startsWith('_')) continue;
      const { dot, basePath } = templates.get(path)!;
      dot.set(
        'Template',
        valuesObject(
          new GoMap([
            ['Name', path],
            ['BasePath', basePath],
          ]),
        ),
      );
      rendered.set(path, engine.render(path, dot));
    }
  } catch (error) {
    const message = explainTemplateError(error);
    throw message === undefined ? error : new RenderError('TemplateFailed', message);
  }
  return rendered;
}

/** The dot of a chart's templates, with those of its dependencies in `.Subcharts`. */
function collect(
  chart: Chart,
  parent: string,
  values: GoMap,
  shared: { readonly release: GoMap; readonly capabilities: GoValue },
  templates: Map<string, Renderable>,
): GoMap {
  const { metadata } = chart;
  const path = parent === '' ? metadata.name : `${parent}/charts/${metadata.name}`;
  const subcharts = new GoMap();
  const dot = new GoMap([
    ['Chart', chartObject(metadata, parent === '')],
    ['Files', filesObject(chart.files)],
    ['Release', shared.release],
    ['Capabilities', shared.capabilities],
    ['Values', values],
    ['Subcharts', subcharts],
  ]);
  for (const dependency of chart.dependencies) {
    const own = values.get(dependency.metadata.name);
    const inner = valuesObject(own instanceof GoMap ? own : new GoMap());
    subcharts.set(dependency.metadata.name, collect(dependency, path, inner, shared, templates));
  }
  const root = valuesObject(dot);
  for (const [file, content] of chart.templates) {
    if (metadata.type === 'library' && !baseName(file).startsWith('_')) continue;
    templates.set(`${path}/${file}`, { source: fromBytes(content), dot: root, basePath: `${path}/templates` });
  }
  return dot;
}
