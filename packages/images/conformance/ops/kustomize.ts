import type { Application } from '@fairlead/api';
import { stringify } from 'yaml';
import { kustomizeBase } from '../../src/config/write-back.ts';
import { parseImage } from '../../src/reference/image-reference.ts';
import { sourceOf } from '../../src/write-back/application-source.ts';
import { editKustomization } from '../../src/write-back/kustomization-file.ts';
import { findOverride, kustomizationImage, matches, mergeOverrides } from '../../src/write-back/kustomize-images.ts';
import { imageInSpec, setImage } from '../../src/write-back/set-image.ts';
import { readDocument } from '../../src/write-back/yaml-text/read-document.ts';
import { applicationFrom, ruleFrom } from './application.ts';
import { FailedWith, type Input, type Ops } from './case.ts';
import { override } from './helm.ts';

const app = ({ source_type: type, images }: Input) =>
  applicationFrom({ source_type: type, source: { kustomize: images ? { images } : null } });

export const kustomizeOps: Ops = {
  override,
  merge_images({ existing, new: added }) {
    const images = mergeOverrides(existing ?? [], added ?? []);
    return { images, ordered: false };
  },
  parse_override: ({ override: text }) => ({ ...kustomizationImage(text) }),
  apply_to_empty: ({ images }) => ({ text: editKustomization('', images) }),
  edit_file({ before, before_yaml: yaml, images }) {
    if (before === null && yaml === undefined) throw new FailedWith('there is no kustomization', { skipped: false });
    const text = yaml === undefined ? before : stringify(yaml);
    const edited = editKustomization(text, images);
    return { text: edited, skipped: edited === text };
  },
  document_start({ text }) {
    try {
      return { document_start: readDocument(text, 'the file').document.directives?.docStart === true };
    } catch {
      // Text that is not YAML has no document, and is never edited.
      return { document_start: false };
    }
  },
  base_path: ({ target, source_path: path }) => ({ path: kustomizeBase(target, path) }),
  set_image(input) {
    if (input['source_type'] !== 'Kustomize') throw new Error('not a Kustomize application');
    const changed = (input['sets'] as Input[]).reduce<Application>(
      (application, set) => setImage(application, parseImage(set['image']), undefined, ruleFrom(set)),
      app(input),
    );
    return { images: sourceOf(changed, undefined)?.source.kustomize?.images ?? [] };
  },
  get_image(input) {
    if (input['source_type'] !== 'Kustomize') throw new Error('not a Kustomize application');
    return { image: imageInSpec(app(input), undefined, ruleFrom(input)) };
  },
  match: ({ a, b }) => ({ match: matches(a, b) }),
  find: ({ images, image }) => ({ found: findOverride(images, image) >= 0 }),
};
