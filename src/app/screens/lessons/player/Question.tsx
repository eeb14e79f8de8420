import { useId } from 'react';
import styles from './Lesson.module.css';

interface QuestionProps {
  question: string;
  /** Whether the question is above already. */
  isSaid?: boolean;
  choices: readonly string[];
  /** From 1. */
  answer: number | undefined;
  onAnswer(choice: number): void;
}

/** One question with a few answers, one of which is chosen. */
export function Question({ question, isSaid = false, choices, answer, onAnswer }: QuestionProps) {
  const name = useId();
  return (
    <fieldset className={styles.question}>
      <legend className={isSaid ? 'unseen' : undefined}>{question}</legend>
      {choices.map((choice, i) => (
        <label key={choice} className="pick">
          <input type="radio" name={name} checked={answer === i + 1} onChange={() => onAnswer(i + 1)} />
          {choice}
        </label>
      ))}
    </fieldset>
  );
}
