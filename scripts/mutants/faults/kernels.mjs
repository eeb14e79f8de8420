/** Faults of shaders and plans. A new kernel adds those that its author would most likely make. */
import { of } from '../mutant.mjs';

const DIRECT = 'src/engine/ops/conv/algorithms/direct src/engine/ops/conv/long-sums';
const IMPLICIT = 'src/engine/ops/conv/algorithms/implicit_gemm';
const IM2COL = 'src/engine/ops/conv/algorithms/im2col_gemm';
const WINOGRAD = 'src/engine/ops/conv/algorithms/winograd';
const FFT = 'src/engine/ops/conv/algorithms/fft';
const POINTWISE = 'src/engine/ops/conv/algorithms/gemm_1x1';
const GEMM = 'src/engine/gemm';
const NORM = 'src/engine/ops/batch_norm';
const GROUP_NORM = 'src/engine/ops/group_norm';
const POOLING = 'src/engine/ops/pooling';
const LOSS = 'src/engine/loss';
const OPTIMIZERS = 'src/engine/optimizers';
const GATHER = 'src/engine/gather';
const GRADIENTS = 'src/engine/gradients';
const AVERAGE = 'src/engine/average src/train/average';
const PLAN = ['plan', 'liveness', 'memory', 'recompute', 'network', 'tasks']
  .map((name) => `src/engine/${name}.`)
  .join(' ');

const NETWORKS = 'src/engine/random-networks';

export default [
  // Direct convolution.
  of(DIRECT, 'shaders/conv/direct/fprop.wgsl', 'r < R; r++', 'r + 1u < R; r++'),
  of(DIRECT, 'shaders/conv/direct/fprop.wgsl', '(k / KG * CG + c) * X_CHANNEL', 'c * X_CHANNEL'),
  of(DIRECT, 'shaders/conv/direct/fprop.wgsl', 'sum += bias[k]', 'sum += bias[k / KG]'),
  of(DIRECT, 'shaders/conv/direct/dgrad.wgsl', 'first + KG; k++', 'first + KG - 1u; k++'),
  of(DIRECT, 'shaders/conv/direct/dgrad.wgsl', 'if (p >= P)', 'if (p > P)'),
  of(
    DIRECT,
    'shaders/conv/direct/wgrad.wgsl',
    'dw[(slice * K + k) * CRS + column]',
    'dw[(slice + k) * CRS + column]',
  ),
  of(DIRECT, 'shaders/conv/direct/wgrad.wgsl', 'column / W_PIXEL % S;', 'column / W_PIXEL / R % S;'),
  of(DIRECT, 'shaders/conv/direct/wgrad_rows.wgsl', '(h < H) & (w < W)', '(h < H) & (w <= W)'),
  of(
    DIRECT,
    'shaders/conv/direct/wgrad_shared.wgsl',
    'min(outputs, (slice + 1u) * part)',
    '(slice + 1u) * part',
  ),
  of(DIRECT, 'shaders/conv/direct/blocked.wgsl', 'local.y * STRIDE_V * PATCH_W', 'local.y * PATCH_W'),
  of(DIRECT, 'shaders/conv/direct/tiled.wgsl', 'r * DILATION_V * PATCH_W', 'r * PATCH_W'),
  of(DIRECT, 'shaders/conv/direct/tiled_uniform.wgsl', 'S * DILATION_V * PATCH_W', 'S * PATCH_W'),
  of(DIRECT, 'shaders/conv/direct/weights.wgsl', '(R - 1u - r) * S', 'r * S'),
  of(
    DIRECT,
    'shaders/conv/geometry.wgsl',
    'q * STRIDE_H + s * DILATION_H - PADDING_LEFT',
    'q * STRIDE_H + s * DILATION_H - PADDING_TOP',
  ),
  of(DIRECT, 'shaders/conv/geometry.wgsl', 'at % STRIDE_V != 0u', 'at % STRIDE_H != 0u'),
  of(DIRECT, 'shaders/conv/direct/tile.wgsl', 'sum + total', 'sum'),
  of(
    DIRECT,
    'src/engine/ops/conv/algorithms/direct/index.ts',
    'workgroups: grid(N * K * P * Q, 64)',
    'workgroups: grid(N * K * P * Q - 1, 64)',
  ),

  // The core of matrix products.
  of(
    GEMM,
    'shaders/gemm/tile_load.wgsl',
    'next_a[i] = select(Loaded(), next_a[i], k < end);',
    'next_a[i] = select(Loaded(), next_a[i], k <= end);',
  ),
  of(
    GEMM,
    'shaders/gemm/tile_store.wgsl',
    'if (m < size.x && n < size.y) {\n      store(z, m, n, c[i * TN + j]);',
    'if (m <= size.x && n < size.y) {\n      store(z, m, n, c[i * TN + j]);',
  ),
  of(
    GEMM,
    'shaders/gemm/tile_multiply.wgsl',
    'staged_b[k * B_LINE + j * WX + local.x]',
    'staged_b[k * B_LINE + j + WX * local.x]',
  ),
  of(GEMM, 'shaders/gemm/tile.wgsl', 'let height = min(SWIZZLE, tiles_m - first);', 'let height = SWIZZLE;'),
  of(
    GEMM,
    'shaders/gemm/tile_store_split.wgsl',
    'for (var w = 0u; w < WK; w++) {',
    'for (var w = 1u; w < WK; w++) {',
  ),
  of(GEMM, 'shaders/gemm/tile.wgsl', 'c[i] += total[i];', 'c[i] = total[i];'),
  of(
    GEMM,
    'shaders/gemm/matrices.wgsl',
    'thread / SUBGROUP / RIGHT_PARTS',
    'thread / SUBGROUP % RIGHT_PARTS / 2u',
  ),
  of(
    GEMM,
    'shaders/gemm/matrices.wgsl',
    'thread % SUBGROUP / 2u * WRITTEN_FOURS + thread % 2u * 2u;',
    'thread % SUBGROUP / 2u * WRITTEN_FOURS + thread % 2u;',
  ),
  of(GEMM, 'shaders/gemm/slice_range.wgsl', '(slice + 1u) * part', '(slice + 1u) * part - 1u'),
  of(
    GEMM,
    'shaders/gemm/sum_slices.wgsl',
    'for (var part = 1u; part < sliced.sharing; part++)',
    'for (var part = 1u; part < sliced.sharing - 1u; part++)',
  ),
  of(GEMM, 'shaders/gemm/sum_slices.wgsl', 'slice + j < end);', 'slice + j <= end);'),
  of(PLAN, 'shaders/common/tasks.wgsl', 'i - tasks[row], tasks', 'i, tasks'),
  of(PLAN, 'src/engine/tasks.ts', 'if (touches(one, batch)) flush(batch);', ';'),
  of(PLAN, 'src/engine/tasks.ts', 'end += alignUp(storage.bytes, ALIGNMENT);', 'end += ALIGNMENT;'),
  of(
    GEMM,
    'src/engine/gemm/tile-constants.ts',
    'const MASKED = K % tile.BK !== 0;',
    'const MASKED = K % 4 !== 0;',
  ),

  // Implicit GEMM.
  of(
    IMPLICIT,
    'shaders/conv/implicit_gemm/gather.wgsl',
    '(at.y < HEIGHT) & (at.z < WIDTH)',
    '(at.y <= HEIGHT) & (at.z < WIDTH)',
  ),
  of(
    IMPLICIT,
    'shaders/conv/implicit_gemm/columns.wgsl',
    'c * HW + down * W + right, down, right',
    'c * HW + down * W + right, down, down',
  ),
  of(
    IMPLICIT,
    'shaders/conv/implicit_gemm/dgrad.wgsl',
    'n % HW / W + PADDING_TOP',
    'n % HW / W + PADDING_LEFT',
  ),
  of(
    IMPLICIT,
    'shaders/conv/implicit_gemm/dgrad_strided.wgsl',
    'pixels.y + pixel % pixels.w * STRIDE_H',
    'pixels.x + pixel % pixels.w * STRIDE_H',
  ),
  of(
    IMPLICIT,
    'shaders/conv/implicit_gemm/wgrad.wgsl',
    'let row = (z % SLICES) * K + z / SLICES * KG + m;',
    'let row = (z % SLICES) * K + m;',
  ),
  of(
    IMPLICIT,
    'shaders/conv/implicit_gemm/sum_slices.wgsl',
    'bias[i / PLANE % CHANNELS]',
    'bias[i % CHANNELS]',
  ),
  of(
    IMPLICIT,
    `${IMPLICIT}/strided.ts`,
    'Math.ceil((length - first) / stride[d])',
    'Math.floor((length - first) / stride[d])',
  ),
  of(
    IMPLICIT,
    `${IMPLICIT}/index.ts`,
    'const down = way * (Math.floor(k / S) % R) * dilation[0];',
    'const down = way * (Math.floor(k / S) % R) * dilation[1];',
  ),

  // Other algorithms.
  of(
    POINTWISE,
    'shaders/conv/pointwise/product.wgsl',
    '(n / sizes.pixels * sizes.groups + z) * sizes.outputs',
    '(n / sizes.pixels + z) * sizes.outputs',
  ),
  of(IM2COL, 'shaders/conv/im2col_gemm/columns.wgsl', '(sizes.first_image + image) * C', 'image * C'),
  of(IM2COL, 'shaders/conv/im2col_gemm/col2im.wgsl', '+ sizes.first_channel +', '+'),
  of(
    IM2COL,
    'shaders/conv/im2col_gemm/per_position.wgsl',
    'i / PIXELS * RS * PIXELS + pixel',
    'i / PIXELS * RS * sizes.pixels + pixel',
  ),
  of(IM2COL, 'shaders/conv/im2col_gemm/per_position.wgsl', 'i / PIXELS % C;', 'i / PIXELS % CG;'),
  of(IM2COL, 'shaders/conv/im2col_gemm/per_element.wgsl', 'row % RS / S', 'row % RS / R'),
  of(IM2COL, 'shaders/conv/im2col_gemm/items.wgsl', 'i += all', 'i += 64u * invocation.groups.x'),
  of(IM2COL, 'shaders/conv/im2col_gemm/col2im.wgsl', 'plane < PLANES', 'plane < CHANNELS'),
  of(IM2COL, 'shaders/conv/im2col_gemm/col2im.wgsl', 'i / HW * PLANES + plane', 'i / HW * CHANNELS + plane'),
  of(IM2COL, 'shaders/conv/im2col_gemm/col2im.wgsl', 'if (p >= P)', 'if (p > P)'),
  of(
    WINOGRAD,
    'shaders/conv/winograd/filter.wgsl',
    'inner % INNER, outer / PHASES, BACKWARD',
    'inner % INNER, outer, BACKWARD',
  ),
  of(WINOGRAD, 'shaders/conv/winograd/image.wgsl', '(column + j < COLUMNS)', '(column + j <= COLUMNS)'),
  of(WINOGRAD, 'shaders/conv/winograd/results.wgsl', '- BEFORE_V;', ';'),
  of(WINOGRAD, 'shaders/conv/winograd/weights.wgsl', 'dw[at] += transformed[s]', 'dw[at] = transformed[s]'),
  of(WINOGRAD, 'shaders/conv/winograd/fused.wgsl', 'row + i < IMAGE_ROWS', 'row + i < IMAGE_COLUMNS'),
  of(
    FFT,
    'shaders/conv/fft/sink.wgsl',
    '(j + u32(tiling.origin_h)) % T_H',
    '(j + u32(tiling.origin_v)) % T_H',
  ),
  of(FFT, 'shaders/conv/fft/factor.wgsl', 'select(value.y, -value.y, CONJUGATE)', 'value.y'),
  of(
    FFT,
    'shaders/conv/fft/product.wgsl',
    'a - spectra[place + part_stride()]',
    'a + spectra[place + part_stride()]',
  ),
  of(FFT, 'shaders/conv/fft/lines.wgsl', 'roots[k * n]', 'roots[k]'),
  of(
    'src/engine/ops/conv/bias_gradient',
    'shaders/conv/bias_gradient/slices.wgsl',
    'slice * part + first; i < end',
    'slice * part + first; i + 1u < end',
  ),
  of(
    'src/engine/ops/conv/channels_last',
    'shaders/conv/channels_last/wgrad.wgsl',
    'n / CG % S * DILATION_H',
    'n / CG % S * DILATION_V',
  ),

  // Normalisation, pooling and other ops.
  of(NORM, 'shaders/batch_norm/statistics.wgsl', 'squares / (count - 1.0)', 'squares / count'),
  of(NORM, 'shaders/batch_norm/forward_in_parts.wgsl', 'squares / (count - 1.0)', 'squares / count'),
  of(NORM, 'shaders/batch_norm/running.wgsl', '1.0, counts)', '1.0, !counts)'),
  of(
    NORM,
    'shaders/batch_norm/combine.wgsl',
    'difference * difference * count_of(images, slice)',
    'difference * difference',
  ),
  of(
    NORM,
    'shaders/batch_norm/slices.wgsl',
    '(i / PIECES * C + column) * PIECES + i % PIECES',
    '(i / PIECES + column) * PIECES + i % PIECES',
  ),
  of(NORM, 'shaders/batch_norm/input_gradient.wgsl', 'Piece(dy[i]) - Piece(known.db) -', 'Piece(dy[i]) -'),
  of(NORM, 'shaders/batch_norm/parts.wgsl', 'if (i + j * own.step < own.end) {', 'if (i < own.end) {'),
  of(NORM, 'shaders/batch_norm/forward_in_parts.wgsl', 'part == 0u && thread', 'part == 1u && thread'),
  of(NORM, 'shaders/batch_norm/backward_in_parts.wgsl', 'dw[slice * COLUMNS + column]', 'dw[column]'),
  of(NORM, 'shaders/common/shared_sum.wgsl', 'half >= select(ACROSS', 'half > select(ACROSS'),
  of(GROUP_NORM, 'shaders/group_norm/statistics.wgsl', 'f32(x[i]) - base - center', 'f32(x[i]) - base'),
  of(GROUP_NORM, 'shaders/group_norm/statistics.wgsl', 'sum += f32(x[i]) - base', 'sum += f32(x[i])'),
  of(GROUP_NORM, 'shaders/group_norm/sums.wgsl', 'plane / CHANNELS', 'plane / C'),
  of(GROUP_NORM, 'shaders/group_norm/means.wgsl', 'weight[i % C]', 'weight[i % CHANNELS]'),
  of(GROUP_NORM, 'shaders/group_norm/backward.wgsl', '(own - mean.x -', '(own -'),
  of('src/engine/ops/prelu', 'shaders/prelu/sums.wgsl', '0.0, v > 0.0', '0.0, v <= 0.0'),
  of('src/engine/ops/prelu', 'shaders/prelu/forward.wgsl', 'i / LENGTH % SLOPES', 'i % SLOPES'),
  of('src/engine/ops/pad', 'shaders/pad/places.wgsl', '2u * (size - 1u) - place', '2u * size - 1u - place'),
  of('src/engine/ops/pad', 'shaders/pad/places.wgsl', 'padded, reflection == own', 'padded, false'),
  of('src/engine/ops/pad', 'shaders/pad/backward.wgsl', 'p < P && q < Q', 'p < P'),
  of(
    POOLING,
    'shaders/pooling/windows.wgsl',
    'p * STRIDE_V + r * DILATION_V - PADDING_TOP',
    'p * STRIDE_V + r - PADDING_TOP',
  ),
  of(
    POOLING,
    'shaders/pooling/windows.wgsl',
    'min(padded / stride + 1u, count)',
    'min(padded / stride, count)',
  ),
  of(POOLING, 'shaders/pooling/avg_count.wgsl', 'q * STRIDE_H + S, W + PADDING_LEFT', 'q * STRIDE_H + S, W'),
  of(
    POOLING,
    'shaders/pooling/max_forward.wgsl',
    'place == NOWHERE || beats(v, largest)',
    'beats(v, largest)',
  ),
  of(
    'src/engine/ops/maxout',
    'shaders/maxout/forward.wgsl',
    'i / INNER * PIECES * INNER',
    'i / INNER * INNER',
  ),
  of('src/engine/ops/concat', 'shaders/concat/copy.wgsl', 'FROM + place', 'place'),
  of('src/engine/ops/add', 'shaders/add/sum.wgsl', 'Piece(z[i]) <= Piece(0.0)', 'Piece(z[i]) < Piece(0.0)'),
  of(
    'src/engine/ops/linear',
    'shaders/linear/wgrad.wgsl',
    'column.x < IN); // ones',
    'column.x <= IN); // ones',
  ),
  of(
    'src/engine/ops/activation',
    'shaders/activation/backward.wgsl',
    'slope(f32(x[i]))',
    'slope(f32(dy[i]))',
  ),
  of(
    'src/engine/ops/relu',
    'shaders/common/relu.wgsl',
    'select(gradient, 0.0, output <= 0.0)',
    'select(gradient, 0.0, output < 0.0)',
  ),
  of(
    'src/engine/ops/dropout',
    'shaders/dropout/backward.wgsl',
    'factor(sizes.stream, i)',
    'factor(sizes.stream + 1u, i)',
  ),

  // What surrounds the network.
  of(LOSS, 'shaders/loss/softmax_cross_entropy.wgsl', '/ sum * mass - wanted)', '/ sum * mass + wanted)'),
  of(
    LOSS,
    'shaders/loss/softmax_cross_entropy.wgsl',
    'log(sum) + largest - wanted_logit',
    'log(sum) - wanted_logit',
  ),
  of(
    LOSS,
    'shaders/loss/softmax_cross_entropy.wgsl',
    'mass = step.mix * mass + share;',
    'mass = step.mix * mass;',
  ),
  of(
    LOSS,
    'shaders/loss/softmax_cross_entropy.wgsl',
    'sizes.smoothing * (weights / f32(CLASSES))',
    'sizes.smoothing * weights',
  ),
  of(LOSS, 'shaders/loss/class_weights.wgsl', 'row < count;', 'row < sizes.rows;'),
  of(LOSS, 'shaders/loss/metrics.wgsl', 'min(step.count, sizes.rows)', 'sizes.rows'),
  of(
    OPTIMIZERS,
    'shaders/optimizers/adam.wgsl',
    'sqrt(second) / sqrt(step.correction2) + step.epsilon',
    'sqrt(second / step.correction2 + step.epsilon)',
  ),
  of(OPTIMIZERS, 'shaders/optimizers/rmsprop.wgsl', 'relu(square - mean * mean)', 'square'),
  of(
    OPTIMIZERS,
    'shaders/optimizers/sgd.wgsl',
    'gradient + step.momentum * momentum, NESTEROV',
    'step.momentum * momentum, NESTEROV',
  ),
  of(
    OPTIMIZERS,
    'shaders/optimizers/muon/momentum.wgsl',
    'select(weight_decay(i), 0.0, matrix)',
    'weight_decay(i)',
  ),
  of(
    OPTIMIZERS,
    'shaders/optimizers/muon/matrix.wgsl',
    'column * matrix.rows + row',
    'column * matrix.columns + row',
  ),
  of(OPTIMIZERS, 'shaders/optimizers/muon/polynomial.wgsl', 'i / padded % sizes.rows', 'i / padded'),
  of(OPTIMIZERS, 'shaders/optimizers/muon/apply.wgsl', 'matrices[group.y]', 'matrices[0]'),
  of(OPTIMIZERS, 'shaders/optimizers/muon/normalised.wgsl', 'row < matrix.rows && column', 'column'),
  of(OPTIMIZERS, 'shaders/optimizers/muon/matrix.wgsl', 'i = thread; i < slices', 'i = thread; i < 1u'),
  of(OPTIMIZERS, 'shaders/optimizers/muon/squares.wgsl', 'sizes.count + slice]', 'slice]'),
  of(OPTIMIZERS, 'shaders/optimizers/muon/polynomial.wgsl', 'slice * sizes.count + i', 'i'),
  of(OPTIMIZERS, 'shaders/optimizers/blocks.wgsl', 'blocks[i / BLOCK].rate', 'blocks[0].rate'),
  of(
    OPTIMIZERS,
    'shaders/optimizers/blocks.wgsl',
    'block = blocks[i / BLOCK]',
    'block = blocks[i / BLOCK + 1u]',
  ),
  of(GRADIENTS, 'shaders/gradients/factors.wgsl', 'select(wanted, 1.0, wanted > 1.0)', 'wanted'),
  of(
    GRADIENTS,
    'shaders/gradients/squares.wgsl',
    'i < sizes.pieces; i += apart',
    'i < sizes.pieces; i += apart + 1u',
  ),
  of(AVERAGE, 'shaders/average/update.wgsl', 'values[i] - average[i]', 'values[i]'),
  of(AVERAGE, 'shaders/average/lookahead.wgsl', 'fast[first + i] = moved;', ''),
  of(AVERAGE, 'shaders/average/lookahead.wgsl', ' || step.averaging == 0.0', ''),
  of(AVERAGE, 'shaders/average/lookahead.wgsl', 'i < blocks[block + 1u]', 'i + 1u < blocks[block + 1u]'),
  of(AVERAGE, 'src/engine/average/lookahead.ts', '.filter(({ counts = false }) => !counts)', ''),
  of(
    GATHER,
    'shaders/gather/batch.wgsl',
    'select(here.x, WIDTH - 1u - here.x, view.mirrored)',
    'select(here.x, WIDTH - here.x, view.mirrored)',
  ),
  of(GATHER, 'shaders/gather/batch.wgsl', '(row + shift) % step.count', '(row + shift) % sizes.rows'),
  of(GATHER, 'shaders/gather/batch.wgsl', '2u * (size - 1u) - at', '2u * size - 1u - at'),
  of(GATHER, 'shaders/gather/batch.wgsl', '(step.position + row) / COUNT', 'step.position / COUNT'),
  of('src/engine/evaluation', 'shaders/gather/batch.wgsl', 'number / 2u * 2u - 3u', 'number / 2u - 2u'),
  of('src/engine/evaluation', 'shaders/loss/views.wgsl', 'view < 2u', 'view < 1u'),
  of(GATHER, 'shaders/gather/batch.wgsl', 'channel * PLANE + source.y * WIDTH', 'source.y * WIDTH'),
  of('src/engine/histograms', 'shaders/measures/histogram.wgsl', 'size < SMALLEST', 'size <= SMALLEST'),

  // Plans: liveness, places in memory, uniforms.
  of(PLAN, 'src/engine/liveness.ts', 'kept.has(storage) ? recorded.length : time', 'time'),
  of(PLAN, 'src/engine/liveness.ts', 'apart[w].add(r);', ''),
  of(
    PLAN,
    'src/engine/memory.ts',
    'all[m].first <= tensor.last && tensor.first <= all[m].last',
    'all[m].first < tensor.last && tensor.first < all[m].last',
  ),
  of(PLAN, 'src/engine/memory.ts', 'offset = Math.max(offset, end);', 'offset = end;'),
  of(PLAN, 'src/engine/plan.ts', 'offset: i * ALIGNMENT', 'offset: Math.max(0, i - 1) * ALIGNMENT'),
  of(
    PLAN,
    'src/engine/plan.ts',
    'ranges.set(storage, { buffer: buffers[slab], offset, bytes',
    'ranges.set(storage, { buffer: buffers[slab], offset: 0, bytes',
  ),
  of(PLAN, 'src/engine/network.ts', 'takers.length === 1 ? takers[0]', 'takers.length >= 1 ? takers[0]'),

  // Small ones, or in one layer of many: the bounds of whole networks show them, too.
  of(
    NETWORKS,
    'shaders/batch_norm/output.wgsl',
    'column] / sqrt(variance + EPS)',
    'column] / sqrt(variance + 5.0 * EPS)',
  ),
  of(
    NETWORKS,
    'shaders/batch_norm/input_gradient.wgsl',
    'Piece(dy[i]) - Piece(known.db) -',
    'Piece(dy[i]) -',
  ),
  of(NETWORKS, 'shaders/activation/backward.wgsl', 'slope(f32(x[i]))', 'slope(f32(dy[i]))'),
  of(NETWORKS, 'shaders/concat/copy.wgsl', 'FROM + place', 'place'),
  of(NETWORKS, 'src/engine/memory.ts', 'offset = Math.max(offset, end);', 'offset = end;'),
];
