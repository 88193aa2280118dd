import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotationPrefix } from './annotation-table.ts';
import { imageListAnnotation, imagesOf } from './annotations.ts';

test('an alias with a slash has its settings under a name with an underscore', () => {
  const [image] = imagesOf({
    [imageListAnnotation]: 'team/web=ghcr.io/acme/web:^1',
    [`${annotationPrefix}/team_web.update-strategy`]: 'alphabetical',
    [`${annotationPrefix}/team_web.helm.image-tag`]: 'web.tag',
  });
  assert.equal(image?.alias, 'team/web');
  assert.equal(image?.commonUpdateSettings?.updateStrategy, 'alphabetical');
  assert.deepEqual(image?.manifestTargets, { helm: { tag: 'web.tag' } });
});

test('the = of a constraint does not end an alias', () => {
  const images = imagesOf({ [imageListAnnotation]: 'registry.test:5000/web:>=1.0, db=postgres:>=16' });
  assert.deepEqual(
    images.map(({ alias, imageName }) => [alias, imageName]),
    [
      ['', 'registry.test:5000/web:>=1.0'],
      ['db', 'postgres:>=16'],
    ],
  );
});
