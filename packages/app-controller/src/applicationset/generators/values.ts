import { put } from '@fairlead/apimachinery';
import type { GeneratorRun } from './generator.ts';
import { during } from './generator-error.ts';
import { type Params, textMap } from './params.ts';

/** Adds the `values` of a generator, which may refer to the other parameters and not to one another. */
export async function addValues(
  params: Params,
  values: Readonly<Record<string, string>> | undefined,
  { texts, goTemplate }: Pick<GeneratorRun, 'texts' | 'goTemplate'>,
): Promise<void> {
  await texts.begin();
  const rendered: Record<string, string> = {};
  for (const [key, template] of Object.entries(values ?? {})) {
    const text = await during('failed to replace templated string', () =>
      during('failed to replace templated string with rendered values', () => texts.render(template, params)),
    );
    put(rendered, key, text);
  }
  if (Object.keys(rendered).length === 0) return;
  if (goTemplate) params.set('values', textMap(rendered));
  else for (const [key, text] of Object.entries(rendered)) params.set(`values.${key}`, text);
}
