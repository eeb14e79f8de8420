/** All lessons from their beginning to their end, which train for two minutes in all. */
import { test } from '../fixtures.ts';
import { walk, WALKS } from '../lessons.ts';

for (const name of Object.keys(WALKS))
  test(`the lesson “${name}” is done as a pupil would, a wrong guess first`, ({ page }) => walk(page, name));
