import { posix } from 'node:path';
import { resolveWriteBack, valuesPath } from '../../src/config/write-back.ts';
import { parseImage } from '../../src/reference/image-reference.ts';
import { sourceOf } from '../../src/write-back/application-source.ts';
import {
  type HelmParameter,
  mergeParameters,
  parameterNames,
  sortParameters,
} from '../../src/write-back/helm-parameters.ts';
import { overrideFile } from '../../src/write-back/override-file.ts';
import { imageInSpec, setImage } from '../../src/write-back/set-image.ts';
import { isPlainScalar } from '../../src/write-back/yaml-text/plain-scalar.ts';
import { getValue, setValue, writeValues } from '../../src/write-back/yaml-text/values-file.ts';
import { applicationFrom, ruleFrom, writeBackFrom } from './application.ts';
import { FailedWith, type Input, type Ops } from './case.ts';

const parameter = ({ name, value, force_string: forceString }: Input): HelmParameter => ({
  name,
  value,
  ...(forceString === undefined ? {} : { forceString }),
});
const valuesOf = (parameters: readonly HelmParameter[]) =>
  Object.fromEntries(parameters.map(({ name = '', value }) => [name, value]));

export function override({ before, app, images, write_back: writeBack, set_image_first: first, cycles = 1 }: Input) {
  const rules = images.map(ruleFrom);
  const where = writeBackFrom(writeBack);
  let application = applicationFrom(app);
  if (first) application = setImage(application, parseImage(first), where, rules[0]);
  let text: string | undefined = before ?? undefined;
  for (let i = 0; i < cycles; i++) text = overrideFile({ application, rules, writeBack: where, before: text });
  return { error: false, text: text ?? '' };
}

const pluginApp = ({ source_type: type, plugin }: Input) => applicationFrom({ source_type: type, source: { plugin } });

export const helmOps: Ops = {
  set_value: ({ before, key, value }) => ({ text: setValue(before, key, value) }),
  get_value: ({ text, key }) => ({ value: getValue(text, key) }),
  write_values({ before, writes }) {
    try {
      return { text: writeValues(before, writes), patched_in_place: true };
    } catch (error) {
      throw new FailedWith(error, { text: before, patched_in_place: false });
    }
  },
  plain_scalar: ({ value }) => ({ safe: isPlainScalar(value) }),
  target_path: ({ target, source_path: path }) => ({ path: valuesPath(target, path) }),
  param_names: ({ alias, helm_name: name, helm_tag: tag, helm_spec: spec }) => ({
    ...parameterNames(alias, { name, tag, spec }),
  }),
  merge_params({ current, merge }) {
    const merged = mergeParameters(current.map(parameter), merge.map(parameter));
    return { values: valuesOf(merged), count: merged.length };
  },
  sort_params: ({ params }) => ({
    params: sortParameters(params.map(parameter)).map(({ name, value, forceString }) => ({
      name,
      value,
      force_string: forceString,
    })),
  }),
  set_image(input) {
    const application = applicationFrom({
      source_type: input['source_type'],
      source: { helm: { parameters: input['parameters'] } },
    });
    const image = parseImage(input['new_image']);
    const changed = setImage(application, image, undefined, ruleFrom({ ...input, image: input['new_image'] }));
    if (input['source_type'] !== 'Helm') throw new Error('not a Helm application');
    const parameters = sourceOf(changed, undefined)?.source.helm?.parameters ?? [];
    return { count: parameters.length, values: valuesOf(parameters) };
  },
  override,
  commit_override({ app, controller_namespace: namespace, images, before }) {
    const application = applicationFrom(app);
    const place = { name: app.name, namespace: app.namespace, repoURL: '', path: app.source?.path ?? '' };
    const writeBack = resolveWriteBack({ method: 'git' }, place, namespace);
    return {
      file: posix.normalize(writeBack.target),
      text: overrideFile({ application, rules: images.map(ruleFrom), writeBack, before: before ?? undefined }),
    };
  },
  set_plugin_image(input) {
    if (input['source_type'] !== 'Plugin') throw new Error('not a plugin application');
    const rule = ruleFrom({ ...input, image: input['new_image'] });
    const changed = setImage(pluginApp(input), parseImage(input['new_image']), undefined, rule);
    const env = sourceOf(changed, undefined)?.source.plugin?.env ?? [];
    return { env: Object.fromEntries(env.map(({ name, value }) => [name, value])), count: env.length };
  },
  get_plugin_image(input) {
    if (input['source_type'] !== 'Plugin') throw new Error('not a plugin application');
    return { image: imageInSpec(pluginApp(input), undefined, ruleFrom({ ...input, image: 'any' })) };
  },
};
