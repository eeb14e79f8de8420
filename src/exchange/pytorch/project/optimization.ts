/** The project's optimization.py: the optimiser, the learning rate by step, and averages of the parameters. */
import { KEPT } from '../../../engine/average/lookahead.ts';
import { unless } from './optimizer.ts';
import { torchOptimizers } from './optimizers.ts';
import { lines, sections } from './python.ts';
import { scheduleSteps, scheduleText } from './schedule.ts';
import { differing, isAveraged, lastMatrix, type ProjectSubject } from './subject.ts';

/** Of settings.py, in the order of an import. */
const CONSTANTS = [
  ...['BATCH_SIZE', 'LEARNING_RATE', 'LEARNING_RATE_FACTORS', 'SCHEDULE_STEPS', 'STEPS', 'WARMUP_STEPS'],
  'WEIGHT_DECAY_FACTORS',
];

export function optimizationText(subject: ProjectSubject): string {
  const { learningRate, settings } = subject;
  const { kind, module } = torchOptimizers.get(settings.optimizer);
  const average = settings.lookahead === undefined ? 'the moving average' : 'lookahead';
  const averages = isAveraged(subject);
  const math = learningRate && ['cosine', 'one-cycle'].includes(learningRate.schedule);
  const functions = sections(
    scheduleText(subject) ??
      `def learning_rate(step: float) -> float:
    """The learning rate of a step, counted from 0: it stays constant."""
    return LEARNING_RATE`,
    `def set_learning_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    for group in optimizer.param_groups:
        value = ${settings.lrFactors.length > 0 ? 'group["factor"] * rate' : 'rate'}
        if torch.is_tensor(group["lr"]):
            group["lr"].fill_(value)  # a CUDA graph reads it there
        else:
            group["lr"] = value`,
    optimizerText(subject),
    averages && (settings.lookahead === undefined ? averageText : lookaheadText)(subject),
  );
  const used = CONSTANTS.filter((name) => new RegExp(`\\b${name}\\b`).test(functions));
  const header = lines(
    `"""The optimiser${averages ? `, the learning rate and ${average}` : ' and the learning rate'}."""`,
    math && 'import math',
    '',
    'import torch',
    averages ? 'from torch import Tensor, nn' : 'from torch import nn',
    '',
    module && `from ${module.file.replace('.py', '')} import ${kind}`,
    `from settings import ${used.join(', ')}`,
  );
  return `${header}\n\n\n${functions}`;
}

function optimizerText(subject: ProjectSubject): string {
  const { settings } = subject;
  const { optimizer, weightDecay, freeze, momentum, trainedEpochs } = settings;
  const { kind, weightDecay: usualDecay = 0, settings: own, onGpu = [] } = torchOptimizers.get(optimizer);
  const keys = differing(subject);
  const decay =
    keys.includes('isDecayed') || keys.includes('decay')
      ? []
      : unless('weight_decay', weightDecay, usualDecay);
  const rest = ['lr=LEARNING_RATE', ...own(settings), ...decay, ...onGpu].join(', ');
  const trained =
    freeze.length > 0 ? '[p for p in model.parameters() if p.requires_grad]' : 'model.parameters()';
  return lines(
    `def make_optimizer(model: nn.Module, saved: dict[int, dict], captured: bool) -> torch.optim.Optimizer:
    """The optimiser in the state that was saved. \`captured\`: its step becomes part of a CUDA graph."""
    device = next(model.parameters()).device`,
    keys.length > 0 && groupsText(subject),
    `    optimizer = ${kind}(${keys.length > 0 ? 'groups' : trained}, ${rest})
    optimizer.load_state_dict({**optimizer.state_dict(), "state": saved})
    for parameter, state in optimizer.state.items():
        for name, value in state.items():
            if value.shape == parameter.shape:
                state[name] = torch.empty_like(parameter).copy_(value)  # in the parameter's memory format`,
    optimizer === 'sgd' &&
      momentum > 0 &&
      trainedEpochs.length > 0 &&
      `    for group in optimizer.param_groups:  # parameters that are trained later
        for parameter in group["params"]:
            optimizer.state[parameter].setdefault("momentum_buffer", torch.zeros_like(parameter))`,
    `    if captured:
        for group in optimizer.param_groups:
            group["lr"] = torch.tensor(float(group["lr"]), device=device)
    return optimizer`,
  );
}

/** The parameters in groups of those that are treated alike. */
function groupsText(subject: ProjectSubject): string {
  const { weightDecay, freeze } = subject.settings;
  const keys = differing(subject);
  const each = {
    factor: [
      'factor',
      'LEARNING_RATE_FACTORS.get(name, 1)',
      '"factor": factor, "lr": factor * LEARNING_RATE',
    ],
    isDecayed: ['decayed', 'parameter.ndim > 1', `"weight_decay": ${weightDecay} if decayed else 0.0`],
    decay: ['decay', 'WEIGHT_DECAY_FACTORS.get(name, 1)', `"weight_decay": decay * ${weightDecay}`],
    isMatrix: [
      'matrix',
      `parameter.ndim > 1 and name != ${JSON.stringify(lastMatrix(subject))}`,
      '"matrix": matrix',
    ],
  };
  const [names, values, fields] = [0, 1, 2].map((at) => keys.map((key) => each[key][at]).join(', '));
  const several = (text: string) => (keys.length > 1 ? `(${text})` : text);
  return lines(
    '    alike: dict = {}',
    '    for name, parameter in model.named_parameters():',
    freeze.length > 0 && '        if not parameter.requires_grad:\n            continue',
    `        kind = ${several(values)}
        alike.setdefault(kind, []).append(parameter)
    groups = [
        {
            "params": parameters,
            ${fields.replaceAll(', "', ',\n            "')},
        }
        for ${several(names)}, parameters in alike.items()
    ]`,
  );
}

const averageText = ({
  settings: { ema = 0 },
  earlier,
}: ProjectSubject): string => `def kept(step: int) -> float:
    """The part of the moving average that is kept in a step, counted from 0; early steps count more."""
    t = step + ${earlier + 1}
    return min(${ema}, (1 + t) / (10 + t))


@torch.no_grad()
def move(pairs: list[tuple[Tensor, Tensor]], kept: Tensor) -> None:
    """Moves each average, the first of a pair, towards its value."""
    for mean, value in pairs:
        if value.is_floating_point():
            mean.lerp_(value, 1 - kept)
        else:
            mean.copy_(value)`;

const lookaheadText = (subject: ProjectSubject): string => `def kept(step: int, batch: int) -> float:
    """The part of the slow weights that is kept in a step, counted from 0, of so many images: all of it, unless the trained
    weights return to the slow ones in it (lookahead: Zhang et al. 2019)."""
    t = step + 1
    part = min(t * batch / BATCH_SIZE / ${scheduleSteps(subject)}, 1)
    return ${KEPT}**${subject.settings.lookahead} * part**3 if t % ${subject.settings.lookahead} == 0 else 1


@torch.no_grad()
def move(pairs: list[tuple[Tensor, Tensor]], kept: Tensor) -> None:
    """Moves each slow weight, the first of a pair, towards the trained one, which returns to it if the slow one has moved."""
    for slow, fast in pairs:
        if fast.is_floating_point():
            slow.lerp_(fast, 1 - kept)
            fast.copy_(torch.where(kept < 1, slow, fast))
        else:
            slow.copy_(fast)`;
