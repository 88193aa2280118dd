import { toBytes } from '../go-template/go-string.ts';
import { GoMap } from '../go-template/go-value.ts';
import { fromPlain } from '../sprig/plain.ts';
import { capabilitiesObject } from './capabilities.ts';
import { Engine, explainTemplateError } from './engine.ts';
import { filesObject } from './files.ts';
import { parsingOrder } from './template-order.ts';
import { valuesObject } from './values-object.ts';

/** A set of templates without a chart. */
export interface Expression {
  /** By file name; `main` is rendered. */
  readonly templates: Readonly<Record<string, string>>;
  /** The dot. */
  readonly values: unknown;
  readonly files?: Readonly<Record<string, string>>;
  readonly capabilities?: { readonly kubeVersion: string; readonly apiVersions: readonly string[] };
  /** Whether `.Values` has Helm's own map type. */
  readonly values_object?: boolean;
}

/** The output of `main`. Throws errors of the templates with Helm's messages. */
export function renderExpression(expression: Expression): Uint8Array {
  const { templates, values, files, capabilities } = expression;
  const dot = fromPlain(values);
  if (dot instanceof GoMap) {
    if (files)
      dot.set('Files', filesObject(new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))));
    if (capabilities) dot.set('Capabilities', capabilitiesObject({ ...capabilities, helmVersion: 'v4.2.4' }));
    const own = dot.get('Values');
    if (expression.values_object && own instanceof GoMap) dot.set('Values', valuesObject(own));
  }
  const engine = new Engine();
  try {
    for (const file of parsingOrder(Object.keys(templates))) engine.parse(file, templates[file] ?? '');
    return toBytes(engine.render('main', dot));
  } catch (error) {
    const message = explainTemplateError(error);
    throw message === undefined ? error : new Error(message, { cause: error });
  }
}
