import { stringMap } from '../go-template/go-type.ts';
import { GoMap, type GoValue } from '../go-template/go-value.ts';
import { fromPlain } from '../sprig/plain.ts';
import type { ChartDependency, ChartMetadata } from './metadata.ts';

/** `.Chart`: Chart.yaml with the names of Go's fields. */
export function chartObject(metadata: ChartMetadata, isRoot: boolean): GoMap {
  return new GoMap([
    ['Name', metadata.name],
    ['Home', metadata.home],
    ['Sources', [...metadata.sources]],
    ['Version', metadata.version],
    ['Description', metadata.description],
    ['Keywords', [...metadata.keywords]],
    ['Maintainers', metadata.maintainers.map(({ name, email, url }) => map({ Name: name, Email: email, URL: url }))],
    ['Icon', metadata.icon],
    ['APIVersion', metadata.apiVersion],
    ['Condition', metadata.condition],
    ['Tags', metadata.tags],
    ['AppVersion', metadata.appVersion],
    ['Deprecated', metadata.deprecated],
    ['Annotations', new GoMap(Object.entries(metadata.annotations), stringMap)],
    ['KubeVersion', metadata.kubeVersion],
    ['Dependencies', metadata.dependencies.map(dependencyObject)],
    ['Type', metadata.type],
    ['IsRoot', isRoot],
  ]);
}

const map = (fields: Record<string, GoValue>): GoMap => new GoMap(Object.entries(fields));

const dependencyObject = (dependency: ChartDependency): GoMap =>
  map({
    Name: dependency.name,
    Version: dependency.version,
    Repository: dependency.repository,
    Condition: dependency.condition,
    Tags: [...dependency.tags],
    Enabled: true,
    ImportValues: dependency.importValues.map(fromPlain),
    Alias: dependency.alias,
  });
